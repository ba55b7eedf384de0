import type { ReactNode } from "react";
import { cx } from "@/shared/cx";
import styles from "./Facts.module.css";

export interface Fact {
  label: string;
  value: ReactNode;
}

/**
 * Labels with their values. `table` sets the values in a second column; `spread` at the right edge,
 * for figures.
 */
export function Facts({
  facts,
  layout = "table",
  className,
}: {
  facts: readonly Fact[];
  layout?: "table" | "spread";
  className?: string | undefined;
}) {
  return (
    <dl className={cx("grid gap-7", "[&>div]:grid [&>div]:gap-12", styles[layout], className)}>
      {facts.map(({ label, value }) => (
        <div key={label}>
          <dt className="text-ink-3">{label}</dt>
          <dd className="tabular-nums min-w-0 wrap-anywhere">{value}</dd>
        </div>
      ))}
    </dl>
  );
}
