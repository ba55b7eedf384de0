import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { config } from "@/shared/config";
import styles from "./EntryPage.module.css";
import { Illustration } from "./Illustration";
import { Link } from "./Link";
import { useHeadingFocus } from "./PageHeading";
import { Wordmark } from "./Wordmark";

/** Frame of the screens at the door, sign-in and registration: a form beside a picture in the accent's tint. */
export function EntryPage({
  title,
  lead,
  children,
}: {
  title: string;
  lead: string;
  children: ReactNode;
}) {
  const { title: platform, subtitle } = config();
  const heading = useHeadingFocus();
  return (
    <div className={styles.page}>
      <div className={styles.half}>
        <header className="flex items-center">
          <span className={styles.wordmark}>
            <Wordmark />
          </span>
          {subtitle && <span className={styles.subtitle}>{subtitle}</span>}
        </header>
        <main className={styles.main}>
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          <p className="text-ink-3 text-15 mt-6">{lead}</p>
          {children}
        </main>
        <footer className={styles.foot}>
          <span>{platform}</span>
          <Link to="/policy">Privacy policy and terms of use</Link>
        </footer>
      </div>
      <Illustration />
    </div>
  );
}

/** The form of such a screen, with a line below it. */
export function EntryForm(props: ComponentProps<"form">) {
  return <form className={styles.form} {...props} />;
}

/** A question and the way for those whom it concerns. */
export function EntryChoice({ children }: { children: ReactNode }) {
  return <p className="flex items-center justify-between text-ink-3 mt-16">{children}</p>;
}

/** A small remark behind an icon. */
export function EntryNote({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <p className={styles.note}>
      <Icon size={17} strokeWidth={1.8} aria-hidden />
      <span>{children}</span>
    </p>
  );
}
