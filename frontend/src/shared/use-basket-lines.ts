import { useMemo, useSyncExternalStore } from "react";
import { type BasketLine, basket } from "@/domain/basket";

/** The basket's lines, in the order in which they were chosen; follows other tabs. */
export function useBasketLines(): readonly BasketLine[] {
  return useSyncExternalStore(basket.subscribe, basket.lines);
}

/** The basket's pieces by SKU. */
export function useHeldPieces(): ReadonlyMap<string, number> {
  const lines = useBasketLines();
  return useMemo(() => new Map(lines.map(({ sku, count }) => [sku, count])), [lines]);
}
