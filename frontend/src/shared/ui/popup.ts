import { type ComponentType, lazy, useState, useTransition } from "react";
import { fetchAhead } from "@/shared/fetch-ahead";

/** A popup in a chunk of its own. `ahead` goes to its button: pointing at it or focusing it fetches the chunk. */
export function lazyPopup<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const ahead = () => fetchAhead(load);
  return { Popup: lazy(load), ahead: { onPointerEnter: ahead, onFocus: ahead } };
}

/**
 * Whether a lazy popup is open, was ever opened, and is being fetched since it was asked for: then
 * its button is busy. The popup's Suspense boundary must be there before the popup.
 */
export function usePopup() {
  const [open, setOpen] = useState(false);
  const [used, setUsed] = useState(false);
  const [fetching, start] = useTransition();
  return {
    open,
    used,
    fetching,
    show: () =>
      start(() => {
        setUsed(true);
        setOpen(true);
      }),
    close: () => setOpen(false),
  };
}

/** True from the first time on that `now` is: a lazy popup stays mounted once it was opened. */
export function useOnceTrue(now: boolean): boolean {
  const [once, setOnce] = useState(now);
  if (now && !once) setOnce(true);
  return once;
}
