/** What a page says to a worker that waits: that it may take over, if no other page is open. */
export const REPLACE = "replace";

const LOADED_MS = 3000;

/** Keeps the app's own files in this browser, once the page has loaded; the development server's files change too often. */
export function keepFiles(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  setTimeout(() => {
    navigator.serviceWorker
      .register("/sw.js")
      // What blocks workers in some browsers answers nothing.
      .then((registered?: ServiceWorkerRegistration) => registered?.waiting?.postMessage(REPLACE))
      .catch((error: unknown) => console.error(error));
  }, LOADED_MS);
}
