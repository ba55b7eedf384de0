import { type RefObject, useEffect, useState } from "react";
import { useLocation } from "react-router";
import { useOnChange } from "@/shared/effects";
import { scrollerOf } from "@/shared/ui/rows";

const REST_MS = 120;
/** A list is not loaded further than this to return to a row. */
const FURTHEST = 2000;

/** The row at the top of the list, with its part out of view, as the browser's history entry keeps it. */
function storedRow(): number {
  const { row } = (window.history.state ?? {}) as { row?: unknown };
  return typeof row === "number" && row > 0 ? Math.min(row, FURTHEST) : 0;
}

function storeRow(row: number): void {
  // Beside the router's own state, which it leaves alone.
  if (row !== storedRow()) window.history.replaceState({ ...window.history.state, row }, "");
}

interface ScrollPosition {
  list: RefObject<HTMLElement | null>;
  /** Height of a row in px. */
  height: number;
  /** Rows that are there. */
  loaded: number;
  hasMore: boolean;
  /** Asks for more of them; undefined while that would be of no use. */
  loadMore: (() => void) | undefined;
}

/**
 * Keeps the place in a list in the browser's history entry, and returns to it after a reload or the
 * browser's Back, loading the pages up to it. Another list, which is another entry, begins at its top.
 */
export function useScrollPosition({
  list,
  height,
  loaded,
  hasMore,
  loadMore,
}: ScrollPosition): void {
  const { key } = useLocation();
  const [target, setTarget] = useState(storedRow);
  const isThere = target > 0 && (target < loaded || !hasMore);

  useOnChange(target > 0 && !isThere ? loadMore : undefined, (load) => load());
  useOnChange(isThere || undefined, () => {
    scrollerOf(list.current).scrollTop = target * height;
    setTarget(0);
  });

  const still = target === 0;
  useEffect(() => {
    if (!still) return;
    const scroller = scrollerOf(list.current);
    let timer: ReturnType<typeof setTimeout>;
    const keep = () => {
      // A phone's other panels scroll in the same place.
      if (list.current?.checkVisibility()) storeRow(scroller.scrollTop / height);
    };
    const moved = () => {
      clearTimeout(timer);
      timer = setTimeout(keep, REST_MS);
    };
    scroller.addEventListener("scroll", moved, { passive: true });
    return () => {
      clearTimeout(timer);
      scroller.removeEventListener("scroll", moved);
    };
  }, [list, height, still]);

  // Another panel of the phone is another entry, over the same list.
  useOnChange(still ? key : undefined, () => {
    const shown = list.current?.checkVisibility();
    if (shown) storeRow(scrollerOf(list.current).scrollTop / height);
  });
}
