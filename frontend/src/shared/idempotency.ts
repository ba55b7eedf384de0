import { useRef } from "react";
import { uuid4 } from "@/domain/uuid";

/**
 * Keys under which a call may be repeated: the same body gets the same key, so that a repeat after a
 * lost answer gets the first answer instead of a second order. Another body gets a new key, and so does the same one after
 * `renew`: it may be sent on purpose a second time.
 */
export function useRepeatKey() {
  const last = useRef({ body: "", key: "" });
  return {
    of: (body: unknown): string => {
      const text = JSON.stringify(body);
      if (last.current.body !== text) last.current = { body: text, key: uuid4() };
      return last.current.key;
    },
    renew: () => {
      last.current = { body: "", key: "" };
    },
  };
}
