import { useWindowEvent } from "./effects";

/** Leaves the portal for another site's page, such as PayPal's. */
export function leaveFor(address: string): void {
  window.location.assign(address);
}

/** Calls `back` when the browser's Back shows the page again just as it was left. */
export function useShownAgain(back: () => void): void {
  useWindowEvent("pageshow", (event) => {
    if (event.persisted) back();
  });
}

/** State of the /login location: the page that a logged-out visitor asked for, with its query. */
export const rememberPage = ({ pathname, search }: { pathname: string; search: string }) => ({
  page: pathname + search,
});

/** The page to go to after the sign-in. Two slashes, or a slash and a backslash, would be another host. */
export function rememberedPage(state: unknown): string {
  const page = (state as Partial<ReturnType<typeof rememberPage>> | null)?.page;
  return typeof page === "string" && /^\/(?![/\\])/.test(page) ? page : "/dashboard";
}

let listener = (_path: string) => {};

/** Names the one place that fetches a screen ahead of the click. */
export function onPrefetch(fetchAhead: (path: string) => void): void {
  listener = fetchAhead;
}

/** The visitor is about to go to this path: they point at its link or focus it. */
export function prefetch(path: string): void {
  listener(path);
}

/** Fetches a chunk early; not without a connection, as a browser does not ask again for what failed once. */
export function fetchAhead(load: () => Promise<unknown>): void {
  if (navigator.onLine) load().catch(() => undefined);
}
