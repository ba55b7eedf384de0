import type { Virtualizer } from "@tanstack/react-virtual";
import { type CSSProperties, type KeyboardEvent, type RefObject, useState } from "react";
import { useOnChange } from "@/shared/effects";

/** The rows of a list, of which some are not drawn until they come into view. */
interface Rows {
  /** Rows that have something to focus. */
  readonly count: number;
  /** The first that is seen. */
  readonly first: number;
  readonly isDrawn: (index: number) => boolean;
  readonly scrollTo: (index: number) => void;
}

export function rowsInView(virtualizer: Virtualizer<HTMLElement, Element>, count: number): Rows {
  const drawn = virtualizer.getVirtualItems();
  return {
    count,
    first: virtualizer.range?.startIndex ?? 0,
    isDrawn: (index) => drawn.some((row) => row.index === index),
    scrollTo: (index) => virtualizer.scrollToIndex(index),
  };
}

export function allRows(count: number): Rows {
  return { count, first: 0, isDrawn: (index) => index < count, scrollTo: () => undefined };
}

interface Target {
  readonly index: number;
  readonly cell: string;
}

/**
 * Rows (`data-index`) of a list as one stop of the Tab key: up, down, Home and End lead from row to row, left and right
 * between the cells (`data-cell`) of one. `column` is the cell that the first key leads to.
 */
export function useRovingRows(list: RefObject<HTMLElement | null>, rows: Rows, column: string) {
  const [last, setLast] = useState(0);
  const [target, setTarget] = useState<Target>();
  // Left and right choose it; a row without such a cell is passed without leaving it.
  const [current, setCurrent] = useState(column);
  // A row out of view is no stop: the first that is seen stands in for it.
  const stop = rows.isDrawn(last) && last < rows.count ? last : rows.first;

  // It may have to be drawn first.
  useOnChange(target && rows.isDrawn(target.index) ? target : undefined, ({ index, cell }) => {
    const row = list.current?.querySelector<HTMLElement>(`[data-index="${index}"]`);
    const cells = row ? cellsOf(row) : [];
    (cells.find(({ dataset }) => dataset.cell === cell) ?? cells.at(-1))?.focus();
  });

  const goTo = (index: number, cell = current) => {
    rows.scrollTo(index);
    setTarget({ index, cell });
  };

  const onKeyDown = (event: KeyboardEvent<HTMLElement>) => {
    const cell = event.target as HTMLElement;
    const row = cell.closest<HTMLElement>("[data-index]");
    const hasOtherUse = event.defaultPrevented || event.ctrlKey || event.metaKey || event.altKey;
    if (!row || !cell.dataset.cell || hasOtherUse) return;
    const beside = neighbour(row, cell, event.key);
    const index = roved(event.key, Number(row.dataset.index), rows.count);
    if (beside) {
      setCurrent(beside.dataset.cell ?? column);
      beside.focus();
    } else if (index !== undefined) goTo(index);
    else return;
    event.preventDefault();
  };
  const onFocus = ({ target: focused }: { target: Element }) => {
    const row = focused.closest<HTMLElement>("[data-index]");
    if (row) setLast(Number(row.dataset.index));
  };
  return { stop, goTo, listeners: { onKeyDown, onFocus } };
}

const cellsOf = (row: HTMLElement) => [...row.querySelectorAll<HTMLElement>("[data-cell]:enabled")];

/** The cell that left or right leads to. */
function neighbour(row: HTMLElement, cell: HTMLElement, key: string): HTMLElement | undefined {
  const step = { ArrowLeft: -1, ArrowRight: 1 }[key];
  const cells = cellsOf(row);
  return step === undefined ? undefined : cells[cells.indexOf(cell) + step];
}

/** What an arrow, Home or End leads to in a list of so many, from the place `at`; undefined for any other key. */
export function roved(key: string, at: number, length: number): number | undefined {
  if (key === "Home") return 0;
  if (key === "End") return length - 1;
  if (key !== "ArrowDown" && key !== "ArrowUp") return undefined;
  return Math.min(length - 1, Math.max(0, at + (key === "ArrowDown" ? 1 : -1)));
}

/** A list of buttons that is one stop of the Tab key, at first the one at `first`; arrows, Home and End lead on. */
export function useRoving(first: number) {
  const [last, setLast] = useState<number>();
  const stop = Math.max(0, last ?? first);
  return {
    stop,
    item: (place: number) => ({
      tabIndex: place === stop ? 0 : -1,
      "data-roving": "",
      onFocus: () => setLast(place),
    }),
    list: {
      onKeyDown: (event: KeyboardEvent<HTMLElement>) => {
        if (event.ctrlKey || event.metaKey || event.altKey) return;
        const all = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-roving]")];
        const at = all.indexOf(event.target as HTMLElement);
        const next = at < 0 ? undefined : roved(event.key, at, all.length);
        if (next === undefined) return;
        event.preventDefault();
        all[next]?.focus();
      },
      onBlur: () => setLast(undefined),
    },
  };
}

export type Ranks = ReadonlyMap<string, number>;

/** Places of lines by key, as they were sorted when `when` became another: none jumps while it is typed in. */
export function useRanks(when: string, sorted: () => readonly string[]): Ranks {
  const ranked = () => new Map(sorted().map((key, place) => [key, place]));
  const [ranks, setRanks] = useState<Ranks>(ranked);
  useOnChange(when, () => setRanks(ranked()));
  return ranks;
}

export const rankOf = (ranks: Ranks, key: string) => ranks.get(key) ?? ranks.size;

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

/** The `ref` of a list's current link: centres it, but not under the pointer, where a press would lose the click. */
export function centreInList(link: HTMLElement | null): void {
  const list = link?.closest("ul");
  if (!link || !list || list.matches(":active")) return;
  list.scrollLeft = link.offsetLeft - (list.clientWidth - link.offsetWidth) / 2;
}

/** What scrolls a list: itself, the nearest element around it that does, or the page. */
export function scrollerOf(list: HTMLElement | null): HTMLElement {
  for (let around = list; around; around = around.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(around).overflowY)) return around;
  }
  return document.documentElement;
}
