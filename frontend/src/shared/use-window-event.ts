import { useEffect, useEffectEvent } from "react";

/** Calls `listener`, as it was drawn last, at every event of this type that reaches the window. */
export function useWindowEvent<Type extends keyof WindowEventMap>(
  type: Type,
  listener: (event: WindowEventMap[Type]) => void,
): void {
  const onEvent = useEffectEvent(listener);
  useEffect(() => {
    const heard = (event: WindowEventMap[Type]) => onEvent(event);
    window.addEventListener(type, heard);
    return () => window.removeEventListener(type, heard);
  }, [type]);
}
