import type { ReactNode } from "react";
import { cx } from "@/shared/cx";
import styles from "./PageBar.module.css";

/** What stays in sight below a phone's page: the amount, what it is, and the button that goes on. */
export function PageBar({
  label,
  amount,
  className,
  children,
}: {
  label: ReactNode;
  amount: string;
  className?: string | undefined;
  children: ReactNode;
}) {
  return (
    <div className={cx(styles.bar, className)}>
      <div>
        <div className="text-ink-2 text-13 tabular-nums">{label}</div>
        <strong className={cx(styles.amount, "tabular-nums")}>{amount}</strong>
      </div>
      {children}
    </div>
  );
}
