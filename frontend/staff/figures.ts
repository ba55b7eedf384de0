/** Figures as staff read and type them: money in integer cents, pieces, weights in whole grams. */
import { type Cents, money } from "@/domain/figures";
import { t } from "./texts";

/** Cents of an amount such as `1,234.5`; null for more than two decimals or a comma that parts no thousands. */
export function readCents(text: string): Cents | null {
  const match = /^(-?)(\d*|\d{1,3}(?:,\d{3})+)(?:\.(\d{0,2}))?$/.exec(text.trim());
  const [, minus, grouped = "", part = ""] = match ?? [];
  const whole = grouped.replaceAll(",", "");
  if (!whole && !part) return null;
  const size = Number(whole) * 100 + Number(part.padEnd(2, "0"));
  return (minus ? -size : size) as Cents;
}

/** `1,234.50`, below zero `− 1,234.50`: the currency stands in the column's head. */
export const amount = (cents: number): string =>
  `${cents < 0 ? "− " : ""}${money(Math.abs(cents) as Cents).slice(1)}`;

/** The whole number of pieces that is typed into a cell; null for what is none. */
export const readPieces = (text: string): number | null =>
  /^-?\d+$/.test(text.trim()) ? Number(text) : null;

/** `12.4 kg` of whole grams, rounded up to a tenth as the server does. */
export const kilograms = (grams: number): string =>
  `${(Math.ceil(grams / 100) / 10).toFixed(1)} kg`;

/** Let a button say the amount that it books as it is typed: `Send the refund of 178.60`. */
export function nameFigure(button: HTMLElement) {
  const field = document.querySelector<HTMLInputElement>(`#${button.dataset.figure}`);
  const verb = button.textContent;
  const show = () => {
    const cents = readCents(field?.value ?? "");
    button.textContent =
      cents === null ? verb : t("{verb} of {amount}", { verb, amount: amount(cents) });
  };
  field?.addEventListener("input", show);
  show();
}
