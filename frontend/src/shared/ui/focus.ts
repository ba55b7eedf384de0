import { useRef } from "react";

/** Where the focus goes when a dialog closes: its opener, or the page's h1 if that is gone. */
export function focusBack(opener: Element | null): HTMLElement | null {
  const canTake = opener?.isConnected && !opener.matches("body, :disabled");
  if (opener instanceof HTMLElement && canTake) return opener;
  return document.querySelector<HTMLElement>("main h1");
}

/** Returns where the focus goes when a dialog closes that is opened by whatever has the focus then. */
export function useFocusBack(open: boolean): () => HTMLElement | null {
  const opener = useRef<Element | null>(null);
  const wasOpen = useRef(false);
  // Kept after the dialog closes: that is when the focus goes back to it.
  if (open && !wasOpen.current) opener.current = document.activeElement;
  wasOpen.current = open;
  return () => focusBack(opener.current);
}
