import { type ComponentType, lazy, useState, useTransition } from "react";
import { fetchAhead } from "@/shared/prefetch";

/** A popup in a chunk of its own. `ahead` goes to its button: pointing at it or focusing it fetches the chunk. */
export function lazyPopup<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const ahead = () => fetchAhead(load);
  return { Popup: lazy(load), ahead: { onPointerEnter: ahead, onFocus: ahead } };
}

/**
 * A lazy popup: what it is about, once it was opened first, whether it is open, and whether it is being fetched since it was
 * asked for: then its button is busy. The popup's Suspense boundary must be there before the popup; `number`, another one
 * each time it is opened, is the key of one that begins anew.
 */
export function usePopup<Subject = true>() {
  const [shown, setShown] = useState<{ subject?: Subject; number: number }>({ number: 0 });
  const [open, setOpen] = useState(false);
  const [fetching, start] = useTransition();
  return {
    ...shown,
    open,
    fetching,
    show: (subject: Subject) =>
      start(() => {
        setShown(({ number }) => ({ subject, number: number + 1 }));
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
