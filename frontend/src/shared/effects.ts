import { type RefObject, useEffect, useEffectEvent, useRef, useState } from "react";

/** Calls `act` when the value becomes another one but undefined: for what follows from an answer, not a click. */
export function useOnChange<Value>(value: Value | undefined, act: (value: Value) => void): void {
  const last = useRef<Value>(undefined);
  const onChange = useEffectEvent(act);
  useEffect(() => {
    if (last.current === value) return;
    last.current = value;
    if (value !== undefined) onChange(value);
  }, [value]);
}

/** Calls `listener`, as it was drawn last, at every event of this type that reaches the window. */
export function useWindowEvent<Type extends keyof WindowEventMap>(
  type: Type,
  listener: (event: WindowEventMap[Type]) => void,
): void {
  const onEvent = useEffectEvent(listener);
  useEffect(() => {
    const handler = (event: WindowEventMap[Type]) => onEvent(event);
    window.addEventListener(type, handler);
    return () => window.removeEventListener(type, handler);
  }, [type]);
}

/** The value as it was when it last stayed the same for so many milliseconds: for what is typed. */
export function useSettled<Value>(value: Value, milliseconds: number): Value {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), milliseconds);
    return () => clearTimeout(timer);
  }, [value, milliseconds]);
  return settled;
}

/** Calls `act` when an element comes within so many pixels of what is in view, while that is awaited. */
export function useInView(
  element: RefObject<Element | null>,
  isAwaited: boolean,
  act: () => void,
  pixels = 0,
): void {
  const onView = useEffectEvent(act);
  useEffect(() => {
    if (!isAwaited || !element.current) return;
    const options = { rootMargin: `${pixels}px` };
    const observer = new IntersectionObserver(([entry]) => {
      if (!entry?.isIntersecting) return;
      observer.disconnect();
      onView();
    }, options);
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [element, isAwaited, pixels]);
}

/** Calls `act` once, this many milliseconds after the first drawing, unless the component is gone. */
export function useTimeout(act: () => void, milliseconds: number): void {
  const onTime = useEffectEvent(act);
  useEffect(() => {
    const timer = setTimeout(() => onTime(), milliseconds);
    return () => clearTimeout(timer);
  }, [milliseconds]);
}
