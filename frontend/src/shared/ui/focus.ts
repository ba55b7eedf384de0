/** Where the focus goes when a dialog closes: its opener, or the page's h1 if that is gone. */
export function focusBack(opener: Element | null): HTMLElement | null {
  if (opener instanceof HTMLElement && opener.isConnected && opener !== document.body) {
    const disabled = opener.matches(":disabled");
    if (!disabled) return opener;
  }
  return document.querySelector<HTMLElement>("main h1");
}
