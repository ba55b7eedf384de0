import type { ComponentType, ReactNode } from "react";
import { Component, lazy, Suspense, useCallback, useState, useTransition } from "react";
import { fetchAhead } from "@/shared/navigation";
import * as texts from "@/shared/texts";
import { toast } from "./toasts";

/** A popup in a chunk of its own. `ahead` goes to its button: pointing at it or focusing it fetches the chunk. */
export function lazyPopup<Props>(load: () => Promise<{ default: ComponentType<Props> }>) {
  const ahead = () => fetchAhead(load);
  return { Popup: lazy(load), ahead: { onPointerEnter: ahead, onFocus: ahead } };
}

/**
 * A lazy popup: what it is about, once it was opened first, whether it is open, and whether it is being fetched since it was
 * asked for: then its button is busy. The popup's Suspense boundary must be there before the popup; `number`, another one
 * each time it is opened, is the key of one that begins anew. `first` is what it opens with.
 */
export function usePopup<Subject = true>(first?: Subject) {
  const [state, setState] = useState<{ subject?: Subject | undefined; number: number }>({
    subject: first,
    number: 0,
  });
  const [open, setOpen] = useState(first !== undefined);
  const [fetching, start] = useTransition();
  const close = () => setOpen(false);
  return {
    ...state,
    open,
    fetching,
    /** The same function always. */
    show: useCallback(
      (subject: Subject) =>
        start(() => {
          setState(({ number }) => ({ subject, number: number + 1 }));
          setOpen(true);
        }),
      [],
    ),
    close,
    /** What its dialog takes. */
    dialog: { open, onClose: close },
  };
}

/** True from the first time on that `now` is: a lazy popup stays mounted once it was opened. */
export function useOnceTrue(now: boolean): boolean {
  const [once, setOnce] = useState(now);
  if (now && !once) setOnce(true);
  return once;
}

/**
 * A part of a page whose files come when it is wanted, such as a popup. Where they do not come without a connection, the
 * page stays and the buyer is told; a browser asks for them again only in a new page, which is loaded once there is one.
 */
export class Part extends Component<{ children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {};

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override componentDidCatch(error: Error) {
    console.error(error);
    toast(texts.offline);
    window.addEventListener("online", () => window.location.reload(), { once: true });
  }

  override render() {
    const { error } = this.state;
    if (error && navigator.onLine) throw error;
    return error ? null : <Suspense fallback={null}>{this.props.children}</Suspense>;
  }
}
