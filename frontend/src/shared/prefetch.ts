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
