/** Where an order is shown: beside the list of a tab, of all orders unless one is named. */
export function orderPath(invoiceCode: string, tab = 0): string {
  return `/invoice/${tab}?invoice_code=${encodeURIComponent(invoiceCode)}`;
}

/** What is ordered again: an order by its invoice code, or a month (`2026-10`); one product of it alone by its SKU. */
export interface Former {
  readonly of: string;
  readonly sku?: string | undefined;
}

/** The address that puts what was ordered into the basket, as far as it can be ordered now. */
export function againLink({ of, sku }: Former): string {
  const query = new URLSearchParams({ again: of, ...(sku && { sku }), panel: "basket" });
  return `/order?${query}`;
}

/** What an address orders again; undefined where it orders nothing. */
export function formerIn(query: URLSearchParams): Former | undefined {
  const of = query.get("again");
  return of ? { of, sku: query.get("sku") ?? undefined } : undefined;
}

export const isMonth = ({ of }: Former): boolean => /^\d{4}-\d{2}$/.test(of);

/** The buyer's own number of an order as the screens write it: `PO 4500118`; "PO" once, where the number says it itself. */
export function poLabel(number: string): string {
  return /^po(?![a-z])/i.test(number) ? number : `PO ${number}`;
}

/** A document's name without its order's code: `Proforma_Invoice_MHW-1.pdf` reads "Proforma Invoice PDF". */
export function documentLabel(name: string, invoiceCode: string): string {
  const [stem = "", form] = name.split(`_${invoiceCode}.`);
  if (form) return `${stem.replaceAll("_", " ")} ${form.toUpperCase()}`;
  return name.replace(invoiceCode, "").trim() || name;
}

/**
 * Whether the pieces that can be promised do not cover the quantity (specification section 5). The
 * server decides again; apps/catalog/tests/vectors/is_short.json pins both sides.
 */
export function isShort(line: { available: number; count: number; stockFree: boolean }): boolean {
  return !line.stockFree && (line.available <= 0 || line.available < line.count);
}
