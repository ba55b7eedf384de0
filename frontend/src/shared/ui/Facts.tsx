import type { ReactNode } from "react";
import { cx } from "@/shared/cx";

export interface Fact {
  label: string;
  value: ReactNode;
}

const LAYOUTS = {
  table: "[&>div]:grid-cols-[minmax(110px,31%)_1fr]",
  spread: "[&>div]:grid-cols-[auto_1fr] [&_dd]:font-medium [&_dd]:text-right",
};

interface FactsProps {
  /** Those that there is nothing to say of are left out. */
  facts: readonly (Fact | false | null | "" | undefined)[];
  layout?: keyof typeof LAYOUTS;
  className?: string | undefined;
}

/** Labels with their values: `table` sets those in a second column, `spread` at the right edge, for figures. */
export function Facts({ facts, layout = "table", className }: FactsProps) {
  return (
    <dl className={cx("grid gap-7", "[&>div]:grid [&>div]:gap-12", LAYOUTS[layout], className)}>
      {facts
        .filter((fact) => !!fact)
        .map(({ label, value }) => (
          <div key={label}>
            <dt className="text-ink-3">{label}</dt>
            <dd className="tabular-nums min-w-0 wrap-anywhere">{value}</dd>
          </div>
        ))}
    </dl>
  );
}
