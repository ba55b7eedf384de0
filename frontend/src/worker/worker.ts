/**
 * The service worker: keeps the app's own files, so that the portal opens without a connection. Nothing else is kept or even
 * looked at: calls, pictures, documents and staff's pages go their way as if it were not there.
 */
import { clientsClaim } from "workbox-core";
import { matchPrecache, precacheAndRoute } from "workbox-precaching";
import { registerRoute } from "workbox-routing";
import { NetworkOnly } from "workbox-strategies";
import { isAway } from "@/shared/away";
import { REPLACE } from "./keep-files";

/** What the server writes in front of the worker (portal/web/installed.py). */
interface Manifest {
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
interface Worker {
  readonly portal: Manifest;
  readonly clients: {
    matchAll(options: {
      type: "window";
      includeUncontrolled: boolean;
    }): Promise<readonly unknown[]>;
  };
  skipWaiting(): Promise<void>;
  addEventListener(type: "message", listener: (event: MessageToWorker) => void): void;
}

const scope = globalThis as unknown as Worker;
const { files, page, screens } = scope.portal;

// The portal's page where it answers; else the one that was kept, with the files that belong to it.
const fromPortal = new NetworkOnly({
  plugins: [{ fetchDidSucceed: fromThePortal, handlerDidError: () => matchPrecache(page.url) }],
});
const isScreen = new RegExp(`^(?:${screens})$`, "i");
registerRoute(
  ({ request, url }) => request.mode === "navigate" && isScreen.test(url.pathname),
  fromPortal,
);

// A new release's worker waits until no page of the former one is open: these still find the files that they began with.
precacheAndRoute([...files.map((url) => ({ url, revision: null })), page]);
clientsClaim();

scope.addEventListener("message", (event) => {
  if (event.data === REPLACE) event.waitUntil(replaceIfAlone());
});

/** A proxy that reaches no portal says so with a page of its own: that is no answer. */
async function fromThePortal({ response }: { response: Response }): Promise<Response> {
  if (isAway(response.status)) throw new Error(`HTTP ${response.status}`);
  return response;
}

/** The one page there is came from the portal a moment ago: it is of the new release. */
async function replaceIfAlone(): Promise<void> {
  const pages = await scope.clients.matchAll({ type: "window", includeUncontrolled: true });
  if (pages.length === 1) await scope.skipWaiting();
}
