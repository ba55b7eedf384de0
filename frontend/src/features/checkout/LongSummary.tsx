import { cx } from "@/shared/cx";
import { LongList } from "@/shared/ui/LongList";
import styles from "./OrderSummary.module.css";
import type { TemporaryOrderLine } from "./queries";
import { SummaryLine, useIsShort } from "./SummaryLine";

const LINE = 67;

interface LongSummaryProps {
  lines: readonly TemporaryOrderLine[];
  labelledBy: string;
}

/** The products of an order of many. */
export default function LongSummary({ lines, labelledBy }: LongSummaryProps) {
  const isShort = useIsShort();
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no group of fields.
    <div
      role="group"
      className={cx(
        styles.lines,
        "relative overscroll-contain overflow-auto min-h-67",
        "focus-visible:-outline-offset-2",
        styles.many,
      )}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
      tabIndex={0}
      aria-labelledby={labelledBy}
    >
      <LongList
        name="products"
        lines={lines}
        factsOf={(line) => ({
          sku: line.sku,
          name: line.eng_name,
          amount: line.order_price,
          isProblem: isShort(line),
        })}
        height={LINE}
      >
        {(line, place) => <SummaryLine key={line.sku} line={line} place={place} />}
      </LongList>
    </div>
  );
}
