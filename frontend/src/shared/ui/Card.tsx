import type { ComponentProps, ReactNode } from "react";
import { cx } from "@/shared/cx";
import styles from "./Card.module.css";

/** A white panel; a landmark when it carries `aria-label` or `aria-labelledby`. */
export function Card({ className, ...rest }: ComponentProps<"section">) {
  return (
    <section
      className={cx(
        "flex flex-col min-w-0 min-h-0 overflow-hidden border border-line rounded-3 bg-surface",
        className,
      )}
      {...rest}
    />
  );
}

/** Head of a card: its h2 left, figures or actions right. */
export function CardHead({
  title,
  id,
  children,
}: {
  title: ReactNode;
  id?: string;
  children?: ReactNode;
}) {
  return (
    <header className={styles.head}>
      <h2 className="flex items-center gap-8 text-15" id={id}>
        {title}
      </h2>
      {children}
    </header>
  );
}

/** How many, beside a title. */
export function CountPill({ children }: { children: ReactNode }) {
  return <span className={cx(styles.pill, "tabular-nums")}>{children}</span>;
}
