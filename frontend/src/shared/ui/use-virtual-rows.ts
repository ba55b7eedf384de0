import { useVirtualizer } from "@tanstack/react-virtual";
import { useLayoutEffect, useRef, useState } from "react";
import { scrollerOf } from "./rows";

interface VirtualRows {
  count: number;
  /** Of most rows, in px. */
  height: number;
  /** What a row is known by, where that is not its place. */
  keyOf?: (index: number) => string | number;
  overscan: number;
}

/** A list that is drawn as far as visible, in whatever scrolls it; `above`: the px before its first row. */
export function useVirtualRows({ count, height, keyOf, overscan }: VirtualRows) {
  const list = useRef<HTMLUListElement>(null);
  const [above, setAbove] = useState(0);
  useLayoutEffect(() => setAbove(list.current?.offsetTop ?? 0));
  const virtualizer = useVirtualizer<HTMLElement, Element>({
    count,
    getScrollElement: () => scrollerOf(list.current),
    estimateSize: () => height,
    ...(keyOf && { getItemKey: keyOf }),
    scrollMargin: above,
    overscan,
  });
  return { list, above, virtualizer };
}
