import { useRef, useState } from "react";
import { useLocation } from "react-router";
import { useOnChange, useWindowEvent } from "@/shared/effects";

/** Where a heading counts as reached: the share of the window's height above it. */
const READING_LINE = 0.3;

/**
 * Takes the visitor to the heading that the address names, at the load and at every click, and tells
 * which of the headings `ids` is read now.
 */
export function useAnchors(ids: readonly string[]): string | undefined {
  const { hash, key } = useLocation();
  const [current, setCurrent] = useState(ids[0]);
  // Where a jump ended: its heading stays the current one until the visitor scrolls on, because the
  // last ones cannot reach the top of the window.
  const jumpEnd = useRef<number>(undefined);

  // The key is another one at a second click on the same link too.
  useOnChange(key, () => {
    const id = hash.slice(1);
    const target = ids.includes(id) ? document.getElementById(id) : null;
    if (!target) return;
    target.focus({ preventScroll: true });
    target.scrollIntoView();
    jumpEnd.current = window.scrollY;
    setCurrent(id);
  });

  useWindowEvent("scroll", () => {
    if (window.scrollY === jumpEnd.current) return;
    jumpEnd.current = undefined;
    const line = window.innerHeight * READING_LINE;
    const passed = ids.filter((id) => {
      const top = document.getElementById(id)?.getBoundingClientRect().top;
      return top !== undefined && top <= line;
    });
    const end = window.scrollY + window.innerHeight >= document.documentElement.scrollHeight - 1;
    setCurrent(end ? ids.at(-1) : (passed.at(-1) ?? ids[0]));
  });

  return current;
}
