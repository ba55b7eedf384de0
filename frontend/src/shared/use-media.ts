import { useCallback, useState, useSyncExternalStore } from "react";
import { flushSync } from "react-dom";
import { useWindowEvent } from "./effects";

/** Up to 860 px: one panel at a time, bars at the bottom. The stylesheets use the same figure. */
export const PHONE = "(max-width: 860px)";
/** Up to 599 px: a phone held upright. */
export const NARROW = "(max-width: 599px)";
/** Up to 1180 px: tighter columns; a phone is one of these too. */
export const TABLET = "(max-width: 1180px)";

/** What each query came to on the screen: the paper's width is no reason to draw another layout. */
const onScreen = new Map<string, boolean>();

function holds(query: string): boolean {
  const cached = onScreen.get(query);
  if (cached !== undefined && window.matchMedia("print").matches) return cached;
  const { matches } = window.matchMedia(query);
  onScreen.set(query, matches);
  return matches;
}

/** Whether a media query holds now, while printing as before; for what CSS alone cannot decide. */
export function useMedia(query: string): boolean {
  const subscribe = useCallback(
    (changed: () => void) => {
      const media = window.matchMedia(query);
      media.addEventListener("change", changed);
      return () => media.removeEventListener("change", changed);
    },
    [query],
  );
  return useSyncExternalStore(subscribe, () => holds(query));
}

/** Whether the page is being printed: what is else drawn as far as visible must then be there whole, at once. */
export function usePrinting(): boolean {
  const [isPrinting, setPrinting] = useState(false);
  useWindowEvent("beforeprint", () => flushSync(() => setPrinting(true)));
  useWindowEvent("afterprint", () => flushSync(() => setPrinting(false)));
  return isPrinting;
}
