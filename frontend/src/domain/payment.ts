const figures = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

/** The ways to pay, as the calls name them. */
export type PaymentMethod = "T/T" | "PAYPAL";

interface Quoted {
  /** US dollars with the fee; absent where PayPal is not taken. */
  paypal_total?: number;
}

export const takesPaypal = (quote: Quoted): boolean => quote.paypal_total !== undefined;

/** The chosen way while it is taken; a draft may be of before PayPal was switched off. */
export function methodOf(quote: Quoted, chosen: PaymentMethod): PaymentMethod {
  return takesPaypal(quote) ? chosen : "T/T";
}

/** US dollars to pay: with the fee by PayPal, the plain amount by wire. */
export function toPay(method: PaymentMethod, quote: Quoted, byWire: number): number {
  return method === "PAYPAL" ? (quote.paypal_total ?? byWire) : byWire;
}

/** `3.5 %` for a rate of 0.035. */
export const percent = (rate: number): string => `${figures.format(rate * 100)} %`;

/** `PayPal fee (3.5 %)`, the label of the fee; without its rate while that is not known. */
export function feeLabel(rate: number | undefined): string {
  return rate === undefined ? "PayPal fee" : `PayPal fee (${percent(rate)})`;
}

export type WireProblem = "depositor_required" | "declaration_required";

/** What a bank wire lacks (specification section 5, Checkout); apps/payments pins both sides. */
export function checkWire(wire: {
  depositor: string;
  exportDeclared: boolean;
}): WireProblem | undefined {
  if (!wire.depositor.trim()) return "depositor_required";
  return wire.exportDeclared ? undefined : "declaration_required";
}
