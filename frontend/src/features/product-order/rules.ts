/**
 * The order screen's rules that must speak at a keystroke. The server decides again; the tables of
 * examples in apps/catalog and apps/orders pin both sides (specification section 5, Ordering).
 */
import { type Cents, cents, sum, times } from "@/domain/figures";
import { isShort } from "@/domain/orders";
import * as texts from "@/shared/texts";
import type { Tone } from "@/shared/ui/Tag";
import type { Product } from "./queries";

export type QuantityProblem = "below_moq" | "not_multiple_of_moq";
export type BasketProblem = "no_lines" | "out_of_stock" | QuantityProblem;

export const PROBLEM_TEXTS: Record<BasketProblem, string> = {
  no_lines: texts.noLines,
  out_of_stock: texts.someOutOfStock,
  below_moq: texts.belowMoq,
  not_multiple_of_moq: texts.notMultiple,
};

/** Pieces of a product that an order may ask for: none of one that cannot be selected, as the server decides. */
export const availableOf = ({ qty, selectable }: { qty: number; selectable: 0 | 1 }): number =>
  selectable === 1 ? qty : 0;

interface Quantity {
  count: number;
  moq: number;
  step: number;
  /** Pieces that are held for the company: any number of them can be ordered. */
  held?: number;
}

/** Pieces that Select chooses: the MOQ, or what is held for the company where there are fewer. */
export const usualPieces = (product: { held: number; qty: number; moq: number }): number =>
  product.held > 0 && product.qty < product.moq ? product.held : product.moq;

/** What is wrong with a quantity (pieces), undefined if nothing is. */
export function checkQuantity(line: Quantity): QuantityProblem | undefined {
  if (line.count > 0 && line.count <= (line.held ?? 0)) return undefined;
  if (line.count < line.moq) return "below_moq";
  return line.count % line.step === 0 ? undefined : "not_multiple_of_moq";
}

/** What stops the whole basket, in the order in which the specification names it. */
export function checkBasket(
  lines: readonly (Quantity & { available: number })[],
  { stockFree }: { stockFree: boolean },
): BasketProblem | undefined {
  if (lines.length === 0) return "no_lines";
  if (lines.some((line) => isShort({ ...line, stockFree }))) return "out_of_stock";
  const problems = lines.map(checkQuantity);
  return problems.find((problem) => problem === "below_moq") ?? problems.find(Boolean);
}

interface Priced {
  readonly product: { readonly usd_supply: number };
  readonly count: number;
}

/** What so many pieces cost. */
export const amountOf = ({ product, count }: Priced): Cents =>
  times(cents(product.usd_supply), count);

export const subtotal = (lines: readonly Priced[]): Cents => sum(lines.map(amountOf));

const TONES: Readonly<Record<string, Tone>> = {
  "On sale": "ok",
  "Sold out": "bad",
  Discontinued: "warn",
};

/** Whether pieces of it may be wished for: it is sold out, and comes again. */
export function mayBeWished({ availability, selectable }: Product): boolean {
  return availability === "Sold out" && selectable !== 1;
}

/** Colour of an availability tag; the text is the server's, anything unknown reads "Contact us". */
export const availabilityTone = (availability: string): Tone => TONES[availability] ?? "info";

export function actionOf(product: Product, isChosen: boolean): string {
  if (isChosen) return "Cancel";
  return product.selectable === 1 ? "Select" : "Soldout";
}
