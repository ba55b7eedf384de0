import {
  type ChangeEvent,
  type CSSProperties,
  type FocusEvent,
  type KeyboardEvent,
  useState,
} from "react";
import { count } from "@/domain/figures";
import { toast } from "./toasts";

const LEAST = 1;
const MOST = 1_000_000;

const WHOLE = /^\d+$/;

/** The pieces that a text says, cut to what a line may have; undefined if it is no whole number: nothing is guessed. */
export function readPieces(text: string | null): number | undefined {
  return text && WHOLE.test(text.trim()) ? withinLine(Number(text)) : undefined;
}

/** The pieces that a text says where a line may have as many; undefined where it may not. */
export function piecesIn(text: string): number | undefined {
  const pieces = readPieces(text);
  return pieces === Number(text) ? pieces : undefined;
}

export const withinLine = (pieces: number, least = LEAST) =>
  Math.min(MOST, Math.max(least, pieces));

export const notPieces = (text: string) => `“${text}” is not a number of pieces.`;

/** Says what a line can have, if what was typed is not within or no whole number. */
export function sayLimits(text: string): void {
  if (!WHOLE.test(text.trim())) toast(notPieces(text));
  else if (Number(text) > MOST) toast(`A line has at most ${count(MOST)} pieces.`);
  else if (Number(text) < LEAST) toast("Enter at least 1 piece.");
}

/**
 * A field for the pieces of a product, where typing is free: `take` ends it and returns the pieces that were typed, if they
 * are some. Enter, which calls `store`, goes to the next one of the same `[data-quantities]` region, Shift+Enter back.
 */
export function usePiecesField(pieces: number | undefined, cell: string) {
  const [draft, setDraft] = useState<string | null>(null);
  const text = String(draft ?? pieces ?? "");
  return {
    draft,
    take: (): number | undefined => {
      if (draft) sayLimits(draft);
      setDraft(null);
      return readPieces(draft);
    },
    enter: (event: KeyboardEvent<HTMLInputElement>, store: () => void) => {
      event.preventDefault();
      store();
      const region = event.currentTarget.closest("[data-quantities]");
      const all = [...(region?.querySelectorAll<HTMLInputElement>("input[data-quantity]") ?? [])];
      all[all.indexOf(event.currentTarget) + (event.shiftKey ? -1 : 1)]?.focus();
    },
    field: {
      type: "number",
      inputMode: "numeric",
      "data-quantity": true,
      // Not while something is typed, where the keys move the cursor.
      "data-cell": draft === null ? cell : undefined,
      // As wide as what it holds: seven digits are seen too.
      style: { "--digits": text.length } as CSSProperties,
      value: text,
      onChange: (event: ChangeEvent<HTMLInputElement>) => setDraft(event.target.value),
      onFocus: (event: FocusEvent<HTMLInputElement>) => event.target.select(),
    } as const,
  };
}
