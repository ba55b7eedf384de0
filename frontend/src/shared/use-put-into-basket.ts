import { useQueryClient } from "@tanstack/react-query";
import { basket, restoredBasket } from "@/domain/basket";
import { counted } from "@/domain/figures";
import { limits } from "./limits";
import { productKeys } from "./query-keys";

interface ToPut {
  /** As the portal knows it now: the basket shows it before it asks. */
  readonly product: { readonly sku: string; readonly usd_supply: number };
  readonly count: number;
}

type How = "replace" | "add";

/** Returns the pieces by SKU that the basket will hold. */
function after(chosen: readonly ToPut[], how: How): Map<string, number> {
  const counts = new Map<string, number>();
  const before = how === "add" ? basket.lines() : [];
  for (const { sku, count } of before) counts.set(sku, count);
  for (const { product, count } of chosen) {
    counts.set(product.sku, Math.min((counts.get(product.sku) ?? 0) + count, limits.max_count));
  }
  return counts;
}

export function putRefusal(items: readonly ToPut[], how: How): string | undefined {
  if (after(items, how).size <= limits.max_lines) return undefined;
  return `A basket holds at most ${counted(limits.max_lines, "product")}.`;
}

/** Puts lines into the basket, in place of what is there or beside it; says why it cannot, or returns what takes it back. */
export function usePutIntoBasket() {
  const client = useQueryClient();
  return (chosen: readonly ToPut[], how: How): { refused?: string; undo: () => void } => {
    const refused = putRefusal(chosen, how);
    if (refused) return { refused, undo: () => undefined };
    const products = chosen.map(({ product }) => product);
    client.setQueryData<Readonly<Record<string, unknown>>>(productKeys.cart, (before) => ({
      ...before,
      ...Object.fromEntries(products.map((product) => [product.sku, product])),
    }));
    if (how === "replace") restoredBasket.dismiss();
    const undo = basket.undoable(() =>
      basket.replace(
        [...after(chosen, how)].map(([sku, count]) => ({ sku, count })),
        {
          ...basket.chosenPrices(),
          ...Object.fromEntries(products.map(({ sku, usd_supply }) => [sku, usd_supply])),
        },
      ),
    );
    return { undo };
  };
}
