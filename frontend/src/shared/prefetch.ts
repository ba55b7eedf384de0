type PrefetchListener = (path: string) => void;
let listener: PrefetchListener = () => undefined;

/** Names the one place that fetches a screen ahead of the click. */
export function onPrefetch(fetchAhead: PrefetchListener): void {
  listener = fetchAhead;
}

/** The visitor is about to go to this path: they point at its link or focus it. */
export function prefetch(path: string): void {
  listener(path);
}

/**
 * Fetches a chunk before it is needed. Without a connection it is left alone: a browser does not ask again for a module
 * that once failed, and whatever shares it would fail until the page is loaded anew.
 */
export function fetchAhead(load: () => Promise<unknown>): void {
  if (navigator.onLine) load().catch(() => undefined);
}
