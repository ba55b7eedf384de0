/** Where an order is shown: beside the list of a tab, of all orders unless one is named. */
export function orderPath(invoiceCode: string, tab = 0): string {
  return `/invoice/${tab}?invoice_code=${encodeURIComponent(invoiceCode)}`;
}
