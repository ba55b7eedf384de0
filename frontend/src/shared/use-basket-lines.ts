import { useSyncExternalStore } from "react";
import { type BasketLine, basket } from "@/domain/basket";

/** The basket's lines, in the order in which they were chosen; follows other tabs. */
export function useBasketLines(): readonly BasketLine[] {
  return useSyncExternalStore(basket.subscribe, basket.lines);
}
