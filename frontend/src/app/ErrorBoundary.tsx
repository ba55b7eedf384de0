import { Component, type ErrorInfo, type ReactNode } from "react";
import { RetryPanel } from "@/shared/ui/Panels";
import { reloadPage } from "./lazy-route";

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
