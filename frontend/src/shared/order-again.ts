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

/** Whether a month is meant, and not an order. */
export function isMonth({ of }: Former): boolean {
  return /^\d{4}-\d{2}$/.test(of);
}
