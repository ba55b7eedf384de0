type IntentListener = (path: string) => void;
let listener: IntentListener = () => undefined;

/** Names the one place that fetches a screen ahead of the click. */
export function whenIntended(fetchAhead: IntentListener): void {
  listener = fetchAhead;
}

/** The visitor is about to go to this path: they point at its link or focus it. */
export function intend(path: string): void {
  listener(path);
}
