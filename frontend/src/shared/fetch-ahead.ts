/**
 * Fetches a chunk before it is needed. Without a connection it is left alone: a browser does not ask again for a module
 * that once failed, and whatever shares it would fail until the page is loaded anew.
 */
export function fetchAhead(load: () => Promise<unknown>): void {
  if (navigator.onLine) load().catch(() => undefined);
}
