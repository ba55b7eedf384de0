import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";
import { config } from "@/shared/config";
import { cx } from "@/shared/cx";
import styles from "./EntryPage.module.css";
import { Form } from "./Field";
import { Link } from "./Link";
import { useHeadingFocus } from "./Page";
import scene from "./scene.svg";
import { Subtitle, Wordmark } from "./Wordmark";

interface EntryPageProps {
  title: string;
  lead: string;
  children: ReactNode;
}

/** Frame of the screens at the door, sign-in and registration: a form beside a picture in the accent's tint. */
export function EntryPage({ title, lead, children }: EntryPageProps) {
  const { title: platform } = config();
  const heading = useHeadingFocus();
  return (
    <div className={cx(styles.page, "grid bg-surface grid-cols-[1fr_1fr] min-h-dvh pr-12")}>
      <div
        className={cx(
          styles.half,
          "flex flex-col pt-36 pb-30 pr-60 pl-48 phone:row-2 phone:pt-23 phone:pb-20 phone:px-24",
        )}
      >
        <header className="flex items-center">
          <span className="serif-21 font-[560] leading-[1.2] tracking-serif phone:text-19">
            <Wordmark />
          </span>
          <Subtitle className="phone:hidden" />
        </header>
        <main
          className={cx(
            styles.main,
            "w-[min(372px,100%)] m-auto pt-24 pb-34",
            "[&_h1]:serif-34 [&_h1]:font-[520] [&_h1]:leading-[1.2] [&_h1]:tracking-serif",
            "phone:w-full phone:mt-0 phone:mb-auto phone:mx-0 phone:pt-28 phone:pb-36",
          )}
        >
          <h1 ref={heading} tabIndex={-1}>
            {title}
          </h1>
          <p className="text-ink-3 text-15 mt-6">{lead}</p>
          {children}
        </main>
        <footer
          className="flex justify-between text-ink-3 text-13 gap-24
            [&_a]:underline-offset-3 [&_a]:text-ink-2"
        >
          <span>{platform}</span>
          <Link to="/policy">Privacy policy and terms of use</Link>
        </footer>
      </div>
      <Scene />
    </div>
  );
}

/** Products on podiums in front of a wall, which takes the tint of the accent; decorative. */
function Scene() {
  return (
    <div
      className={cx(
        styles.scene,
        "relative overflow-hidden my-12 rounded-[20px]",
        "phone:h-200 phone:mt-10 phone:mb-0 phone:mx-10",
      )}
      aria-hidden
    >
      <svg viewBox="0 0 714 876" preserveAspectRatio="xMidYMax slice" role="presentation">
        <radialGradient id="sun">
          <stop stopColor="#fff" />
          <stop offset="1" stopColor="#fff" stopOpacity="0" />
        </radialGradient>
        <rect className={styles.wall} x="-800" y="-900" width="2400" height="1640" />
        <circle cx="568" cy="150" r="330" fill="url(#sun)" />
        <path className={styles.niche} d="M190 728V362a167 167 0 0 1 334 0v366z" />
        <image href={scene} x="-800" y="-900" width="2400" height="2028" />
      </svg>
    </div>
  );
}

/** The form of such a screen, with a line below it. */
export function EntryForm(props: ComponentProps<typeof Form>) {
  return (
    <Form
      className={cx(styles.form, "grid gap-16 border-b border-line mt-18 pb-19 [&_p:empty]:hidden")}
      {...props}
    />
  );
}

/** A question and the way for those whom it concerns. */
export function EntryChoice({ children }: { children: ReactNode }) {
  return <p className="flex items-center justify-between text-ink-3 mt-16">{children}</p>;
}

/** A small remark behind an icon. */
export function EntryNote({ icon: Icon, children }: { icon: LucideIcon; children: ReactNode }) {
  return (
    <p
      className="flex gap-10 text-ink-3 text-13 mt-18
        [&_svg]:flex-none [&_svg]:mt-1 [&_a]:underline-offset-3"
    >
      <Icon size={17} />
      <span>{children}</span>
    </p>
  );
}
