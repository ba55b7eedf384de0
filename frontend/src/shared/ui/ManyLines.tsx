import { lazy, type ReactNode, Suspense } from "react";
import type { LongList as List, LongListProps } from "./LongList";
import type { Place } from "./rows";

const LongList = lazy(async () => ({
  default: (await import("./LongList")).LongList,
})) as typeof List;

interface ManyLinesProps<Line> extends Omit<LongListProps<Line>, "name" | "children"> {
  labelledBy: string;
  className: string;
  /** How many stand there until what draws them as far as visible is fetched. */
  first: number;
  children: (line: Line, place?: Place) => ReactNode;
}

/** The products of an order of many: searched, and drawn as far as visible, in a box of their own. */
export function ManyLines<Line>(props: ManyLinesProps<Line>) {
  const { labelledBy, className, first, lines, children, ...list } = props;
  return (
    <Suspense
      fallback={
        <ul className={className}>{lines.slice(0, first).map((line) => children(line))}</ul>
      }
    >
      {/* biome-ignore lint/a11y/useSemanticElements: it is no group of fields. */}
      <div
        role="group"
        className={className}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls.
        tabIndex={0}
        aria-labelledby={labelledBy}
      >
        <LongList name="products" lines={lines} {...list}>
          {(line, place) => children(line, place)}
        </LongList>
      </div>
    </Suspense>
  );
}
