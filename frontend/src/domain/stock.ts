/**
 * Whether the pieces that can be promised do not cover the quantity (specification section 5). The
 * server decides again; apps/catalog/tests/vectors/is_short.json pins both sides.
 */
export function isShort(line: { available: number; count: number; stockFree: boolean }): boolean {
  return !line.stockFree && (line.available <= 0 || line.available < line.count);
}
