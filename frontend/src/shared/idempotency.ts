import { useRef } from "react";

/**
 * Keys under which a call may be repeated: the same body gets the same key, so that a repeat after a
 * lost answer gets the first answer instead of a second order. Another body gets a new key.
 */
export function useIdempotencyKey(): (body: unknown) => string {
  const last = useRef({ body: "", key: "" });
  return (body) => {
    const text = JSON.stringify(body);
    if (last.current.body !== text) last.current = { body: text, key: uuid4() };
    return last.current.key;
  };
}

/** A random UUID; `crypto.randomUUID` alone is missing where the portal is not served over HTTPS. */
function uuid4(): string {
  return "10000000-1000-4000-8000-100000000000".replace(/[018]/g, (digit) => {
    const [random = 0] = crypto.getRandomValues(new Uint8Array(1));
    return (Number(digit) ^ (random & (15 >> (Number(digit) / 4)))).toString(16);
  });
}
