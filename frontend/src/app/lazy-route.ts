import { type ComponentType, type LazyExoticComponent, lazy } from "react";
import { fetchAhead } from "@/shared/prefetch";

interface LazyRoute extends LazyExoticComponent<ComponentType> {
  /** Fetches the route's chunks before it is shown; a failure is left to the showing. */
  readonly fetchAhead: () => void;
}

/**
 * A route loaded when it is first shown. A chunk that is gone after a deployment reloads the page
 * once, which brings the new entry; if it fails again at this address the error reaches the boundary. So it does without a
 * connection, where a reload would leave the portal for the browser's own page.
 */
export function lazyRoute(
  load: () => Promise<{ default: ComponentType }>,
  reload: () => void = reloadPage,
): LazyRoute {
  const route = lazy(async () => {
    const reloaded = `reloaded${window.location.pathname}`;
    try {
      const module = await load();
      sessionStorage.removeItem(reloaded);
      return module;
    } catch (error) {
      if (!navigator.onLine || sessionStorage.getItem(reloaded)) throw error;
      sessionStorage.setItem(reloaded, "1");
      reload();
      return new Promise<never>(() => undefined);
    }
  });
  return Object.assign(route, { fetchAhead: () => fetchAhead(load) });
}

/** Without a connection a reload would leave the portal for the browser's own page. */
export function reloadPage(): void {
  if (navigator.onLine) window.location.reload();
}
