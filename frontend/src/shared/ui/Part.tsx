import { Component, type ReactNode, Suspense } from "react";
import { texts } from "@/shared/texts";
import { toast } from "./toasts";

/**
 * A part of a page whose files come when it is wanted, such as a popup. Where they do not come without a connection, the
 * page stays and the buyer is told; a browser asks for them again only in a new page, which is loaded once there is one.
 */
export class Part extends Component<{ children: ReactNode }, { error?: Error }> {
  override state: { error?: Error } = {};

  static getDerivedStateFromError(error: Error) {
    return { error };
  }

  override componentDidCatch(error: Error) {
    console.error(error);
    toast(texts.offline);
    window.addEventListener("online", () => window.location.reload(), { once: true });
  }

  override render() {
    const { error } = this.state;
    if (error && navigator.onLine) throw error;
    return error ? null : <Suspense fallback={null}>{this.props.children}</Suspense>;
  }
}
