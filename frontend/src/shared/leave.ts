import { useEffect, useEffectEvent } from "react";

/** Leaves the portal for another site's page, such as PayPal's. */
export function leaveFor(address: string): void {
  window.location.assign(address);
}

/** Calls `back` when the browser's Back shows the page again just as it was left. */
export function useShownAgain(back: () => void): void {
  const shown = useEffectEvent((event: PageTransitionEvent) => {
    if (event.persisted) back();
  });
  useEffect(() => {
    const listener = (event: PageTransitionEvent) => shown(event);
    window.addEventListener("pageshow", listener);
    return () => window.removeEventListener("pageshow", listener);
  }, []);
}
