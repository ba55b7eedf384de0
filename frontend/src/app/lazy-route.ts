import { type ComponentType, type LazyExoticComponent, lazy } from "react";

const RELOADED = "reloaded-for-chunk";

interface LazyRoute extends LazyExoticComponent<ComponentType> {
  /** Fetches the route's chunks before it is shown; a failure is left to the showing. */
  readonly fetchAhead: () => void;
}

/**
 * A route loaded when it is first shown. A chunk that is gone after a deployment reloads the page
 * once, which brings the new entry; if it fails again the error reaches the boundary.
 */
export function lazyRoute(
  load: () => Promise<{ default: ComponentType }>,
  reload: () => void = () => window.location.reload(),
): LazyRoute {
  const route = lazy(async () => {
    try {
      const module = await load();
      sessionStorage.removeItem(RELOADED);
      return module;
    } catch (error) {
      if (sessionStorage.getItem(RELOADED)) throw error;
      sessionStorage.setItem(RELOADED, "1");
      reload();
      return new Promise<never>(() => undefined);
    }
  });
  return Object.assign(route, { fetchAhead: () => void load().catch(() => undefined) });
}
