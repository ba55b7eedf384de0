import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";

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
  const list = useRef<HTMLUListElement>(null);
  const [above, setAbove] = useState(0);
  useLayoutEffect(() => setAbove(list.current?.offsetTop ?? 0));
  const virtualizer = useVirtualizer({
    count: items.length,
    getScrollElement: () => list.current?.closest<HTMLElement>("[data-dialog-body]") ?? null,
    estimateSize: () => height,
    scrollMargin: above,
    overscan: OVERSCAN,
  });
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
              ref={virtualizer.measureElement}
              data-index={index}
              style={{ transform: `translateY(${start - above}px)` }}
              aria-setsize={items.length}
              aria-posinset={index + 1}
            >
              {children(item)}
            </li>
          )
        );
      })}
    </ul>
  );
}
