import type { ReactNode } from "react";
import { LongList } from "@/shared/ui/LongList";
import type { Place } from "@/shared/ui/rows";
import { isProblem, type ShownLine } from "./rules";

const LINE = 77;

interface LongLinesProps {
  lines: readonly ShownLine[];
  /** Draws a line at its place. */
  children: (line: ShownLine, place: Place) => ReactNode;
}

/** The lines of an order of many. */
export default function LongLines({ lines, children }: LongLinesProps) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no group of fields.
    <div
      role="group"
      className="overflow-auto max-h-[70dvh] phone:max-h-[58dvh]"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
      tabIndex={0}
      aria-labelledby="order-products"
    >
      <LongList name="products" lines={lines} factsOf={factsOf} height={LINE}>
        {children}
      </LongList>
    </div>
  );
}

/** A product may stand in two lines, confirmed and not. */
const factsOf = ({ line, ordered }: ShownLine) => ({
  sku: line.sku,
  key: String(line.order_product_id),
  name: line.eng_name,
  amount: line.order_price,
  isProblem: isProblem({ line, ordered }),
});
