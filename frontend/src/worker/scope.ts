/** What a page says to a worker that waits: that it may take over, if no other page is open. */
export const REPLACE = "replace";

/** What the server writes in front of the worker (portal/web/installed.py). */
interface Kept {
  /** Addresses that name their content: they never change. */
  readonly files: readonly string[];
  readonly page: { readonly url: string; readonly revision: string };
  /** The paths of the screens, as a regular expression. */
  readonly screens: string;
}

interface MessageToWorker extends Event {
  readonly data: unknown;
  waitUntil(work: Promise<unknown>): void;
}

/** What is used of a worker's global scope: TypeScript's own types of it clash with those of pages. */
export interface Worker {
  readonly portal: Kept;
  readonly clients: {
    matchAll(wanted: { type: "window"; includeUncontrolled: boolean }): Promise<readonly unknown[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: "message", listener: (event: MessageToWorker) => void): void;
}
