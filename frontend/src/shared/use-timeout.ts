import { useEffect, useEffectEvent } from "react";

/** Calls `act` once, this many milliseconds after the first drawing, unless the component is gone. */
export function useTimeout(act: () => void, milliseconds: number): void {
  const onTime = useEffectEvent(act);
  useEffect(() => {
    const timer = setTimeout(() => onTime(), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
}
