import type { CSSProperties } from "react";

/** Where a line stands in a list that is drawn as far as visible: of how many, at how many px, and who measures it. */
export interface Place {
  readonly index: number;
  readonly of: number;
  readonly top: number;
  readonly measure: (row: Element | null) => void;
}

/** The attributes of a line's `li`. */
export function virtualRow({ index, of, top, measure }: Place) {
  return {
    ref: measure,
    "data-index": index,
    style: { transform: `translateY(${top}px)` } satisfies CSSProperties,
    "aria-setsize": of,
    "aria-posinset": index + 1,
  };
}

/** More lines than that are searched, sorted, and drawn as far as visible. */
export const MANY = 40;
