import { useVirtualizer } from "@tanstack/react-virtual";
import { ChevronDown } from "lucide-react";
import { useRef } from "react";
import type { components } from "@/api/schema.gen";
import { counted } from "@/domain/units";
import list from "./ListReview.module.css";
import { ROWS_OF_A_TAB, rowName } from "./list-rows";
import styles from "./PassedRows.module.css";

type Review = components["schemas"]["ListReview"];

const ROW = 52;
const OVERSCAN = 8;
const HEADINGS = "Headings.";

/** How many rows of the list are no lines of the order; nothing where they are its headings alone. */
export function PassedButton({
  review,
  open,
  onToggle,
}: {
  review: Review;
  open: boolean;
  onToggle: () => void;
}) {
  const { passed_why } = review;
  if (passed_why.every(({ why }) => why === HEADINGS)) return null;
  const rows = passed_why.reduce((sum, { rows }) => sum + rows, 0);
  return (
    <button type="button" className={styles.toggle} aria-expanded={open} onClick={onToggle}>
      {counted(rows, "row")} {rows === 1 ? "was" : "were"} passed over
      <ChevronDown size={15} strokeWidth={1.8} aria-hidden />
    </button>
  );
}

/** Where a row stands; a tab that is hidden has none, as none is read. */
function whereOf(row: number): string {
  return row % ROWS_OF_A_TAB === 0 ? "Hidden tab" : rowName(row);
}

/** The rows that were passed over, drawn as far as visible: where they stand, what stands there, and why. */
export function PassedRows({ review: { passed, passed_why } }: { review: Review }) {
  const scroller = useRef<HTMLDivElement>(null);
  const more = passed_why.flatMap(({ why, rows }) => {
    const rest = rows - passed.filter((row) => row.why === why).length;
    return rest > 0 ? [{ why, rest }] : [];
  });
  const virtualizer = useVirtualizer({
    count: passed.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    overscan: OVERSCAN,
  });
  return (
    <div ref={scroller} className={list.scroller}>
      <ul
        className={list.list}
        aria-label="Rows that were passed over"
        style={{ height: virtualizer.getTotalSize() }}
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const row = passed[index];
          return (
            row && (
              <li
                key={row.row}
                ref={virtualizer.measureElement}
                data-index={index}
                className={`${list.item} ${styles.row}`}
                style={{ transform: `translateY(${start}px)` }}
                aria-setsize={passed.length}
                aria-posinset={index + 1}
              >
                <span className={`${styles.where} num`}>{whereOf(row.row)}</span>
                <span className={styles.text}>{row.text}</span>
                <span className={styles.why}>{row.why}</span>
              </li>
            )
          );
        })}
      </ul>
      {more.map(({ why, rest }) => (
        <p key={why} className={styles.more}>
          {counted(rest, "more row")}: {why}
        </p>
      ))}
    </div>
  );
}
