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

/** The quantity before or after in the same `[data-quantities]` region. */
export function quantityBeside(input: HTMLInputElement, offset: 1 | -1) {
  const region = input.closest("[data-quantities]");
  const all = [...(region?.querySelectorAll<HTMLInputElement>("input[data-quantity]") ?? [])];
  return all[all.indexOf(input) + offset];
}
