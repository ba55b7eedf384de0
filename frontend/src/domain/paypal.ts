const figures = new Intl.NumberFormat("en-US", { maximumFractionDigits: 2 });

/** The ways to pay, as the calls name them. */
export type PaymentMethod = "T/T" | "PAYPAL";

/** `3.5 %` for a rate of 0.035. */
export function percent(rate: number): string {
  return `${figures.format(rate * 100)} %`;
}

/** `PayPal fee (3.5 %)`, the label of the fee; without its rate while that is not known. */
export function feeLabel(rate: number | undefined): string {
  return rate === undefined ? "PayPal fee" : `PayPal fee (${percent(rate)})`;
}
