import type { CheckoutFields } from "./fields";

/** What is kept of the form: the way to pay is chosen anew, with its question. */
type Draft = Omit<CheckoutFields, "method">;

const key = (invoiceCode: string) => `checkout:${invoiceCode}`;

/** The form as it was when the buyer left for PayPal, for a buyer who comes back without paying. */
export const draft = {
  keep(invoiceCode: string, { method, ...fields }: CheckoutFields): void {
    try {
      sessionStorage.setItem(key(invoiceCode), JSON.stringify(fields));
    } catch (error) {
      // A full storage costs what was typed, not the payment.
      console.error(error);
    }
  },
  kept(invoiceCode: string): Draft | undefined {
    const text = sessionStorage.getItem(key(invoiceCode));
    return text ? (JSON.parse(text) as Draft) : undefined;
  },
};
