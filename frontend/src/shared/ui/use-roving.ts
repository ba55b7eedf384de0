import { type KeyboardEvent, useState } from "react";

/** What an arrow, Home or End leads to in a list of so many, from the place `at`; undefined for any other key. */
export function roved(key: string, at: number, length: number): number | undefined {
  if (key === "Home") return 0;
  if (key === "End") return length - 1;
  if (key !== "ArrowDown" && key !== "ArrowUp") return undefined;
  return Math.min(length - 1, Math.max(0, at + (key === "ArrowDown" ? 1 : -1)));
}

/**
 * A list of buttons that is one stop of the Tab key: the arrows, Home and End lead through it. The stop is the button
 * that had the focus last, at first the one at `first`.
 */
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
