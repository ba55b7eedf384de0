import type { ComponentType, ErrorInfo, LazyExoticComponent, ReactNode } from "react";
import { Component, lazy } from "react";
import { fetchAhead } from "@/shared/navigation";
import { RetryPanel } from "@/shared/ui/Panels";

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
function reloadPage(): void {
  if (navigator.onLine) window.location.reload();
}

/**
 * In place of a page that could not be drawn: what went wrong is logged, the page can be reloaded. Without a connection it
 * is drawn anew: what failed was a dialog whose files had not come, and the page itself is there.
 */
export class ErrorBoundary extends Component<{ children: ReactNode }, { failed: boolean }> {
  override state = { failed: false };

  static getDerivedStateFromError() {
    return { failed: true };
  }

  override componentDidCatch(error: Error, info: ErrorInfo) {
    console.error(error, info.componentStack);
  }

  override render() {
    if (!this.state.failed) return this.props.children;
    const again = () => (navigator.onLine ? reloadPage() : this.setState({ failed: false }));
    return <RetryPanel onRetry={again} />;
  }
}
