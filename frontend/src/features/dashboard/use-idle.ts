import { useEffect, useState } from "react";

/** False until the browser has had nothing to do for a moment; at once where it cannot say. */
export function useIdle(): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    if (!("requestIdleCallback" in window)) return setIdle(true);
    const request = window.requestIdleCallback(() => setIdle(true), { timeout: 2000 });
    return () => window.cancelIdleCallback(request);
  }, []);
  return idle;
}
