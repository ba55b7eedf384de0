import type { ReactNode } from "react";
import { counted } from "@/domain/figures";
import { virtualRow } from "@/shared/ui/rows";
import { useVirtualRows } from "@/shared/ui/use-virtual-rows";
import type { Review } from "./list-in-hand";

const OVERSCAN = 8;

interface RowsProps<Item> {
  label: string;
  items: readonly Item[];
  keyOf: (item: Item) => number;
  /** Of most rows, in px. */
  height: number;
  children: (item: Item) => ReactNode;
}

/** Many rows in a dialog, which scrolls them; drawn as far as visible. */
export function Rows<Item>({ label, items, keyOf, height, children }: RowsProps<Item>) {
  const count = items.length;
  const { list, above, virtualizer } = useVirtualRows({ count, height, overscan: OVERSCAN });
  const measure = virtualizer.measureElement;
  return (
    <ul
      ref={list}
      aria-label={label}
      className="relative border-t border-line [&>li]:absolute [&>li]:top-0 [&>li]:inset-x-0"
      style={{ height: virtualizer.getTotalSize() }}
    >
      {virtualizer.getVirtualItems().map(({ index, start }) => {
        const item = items[index];
        return (
          item && (
            <li
              key={keyOf(item)}
              {...virtualRow({ index, of: count, top: start - above, measure })}
            >
              {children(item)}
            </li>
          )
        );
      })}
    </ul>
  );
}

/** The rows that were passed over: where they stand, what stands there, and why. */
export function PassedRows({ review: { passed, passed_why } }: { review: Review }) {
  const more = passed_why.flatMap(({ why, rows }) => {
    const rest = rows - passed.filter((row) => row.why === why).length;
    return rest > 0 ? [`${counted(rest, "more row")}: ${why}`] : [];
  });
  return (
    <>
      <Rows label="Skipped rows" items={passed} keyOf={({ row }) => row} height={40}>
        {({ row, text, why }) => (
          <p
            className="grid border-b border-line text-ink-3 text-13 wrap-anywhere
              grid-cols-[72px_minmax(0,1fr)_minmax(0,200px)] gap-y-4 gap-x-12 py-10
              phone:grid-cols-[72px_minmax(0,1fr)] phone:[&>:last-child]:col-2"
          >
            <span className="tabular-nums">Row {row}</span>
            <span className="text-ink">{text}</span>
            <span>{why}</span>
          </p>
        )}
      </Rows>
      {more.map((text) => (
        <p key={text} className="text-ink-3 text-13 py-10">
          {text}
        </p>
      ))}
    </>
  );
}
