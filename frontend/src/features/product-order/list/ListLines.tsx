import { useVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { focusNext } from "./focus-next";
import styles from "./ListReview.module.css";
import { ListRow } from "./ListRow";
import type { Change, ListLine } from "./list-review";

const ROW = 96;
const OVERSCAN = 8;

interface ListLinesProps {
  lines: readonly ListLine[];
  head: ReactNode;
  onChange: (change: Change) => void;
  onFocusLost: () => HTMLElement | null;
}

/** The lines, drawn as far as visible, below what stands above them. */
export function ListLines({ lines, head, onChange, onFocusLost }: ListLinesProps) {
  const scroller = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLUListElement>(null);
  const [above, setAbove] = useState(0);
  useLayoutEffect(() => setAbove(list.current?.offsetTop ?? 0));
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => ROW,
    scrollMargin: above,
    overscan: OVERSCAN,
  });
  return (
    <div ref={scroller} className={styles.scroller}>
      {head}
      <ul ref={list} className={styles.list} style={{ height: virtualizer.getTotalSize() }}>
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const line = lines[index];
          return (
            line && (
              <li
                key={line.asked.row}
                ref={virtualizer.measureElement}
                data-index={index}
                className={styles.item}
                style={{ transform: `translateY(${start - above}px)` }}
                aria-setsize={lines.length}
                aria-posinset={index + 1}
              >
                <ListRow
                  line={line}
                  onChange={onChange}
                  onFixed={(button) => focusNext(button, onFocusLost())}
                />
              </li>
            )
          );
        })}
      </ul>
    </div>
  );
}
