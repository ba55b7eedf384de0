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
