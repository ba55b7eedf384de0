import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { ApiError } from "@/api/errors";
import { basket } from "@/domain/basket";
import { counted } from "@/domain/units";
import { limits } from "@/shared/limits";
import { pageTexts } from "@/shared/page-texts";
import { productKeys } from "@/shared/query-keys";
import { failureText } from "@/shared/ui/failure";
import type { Product, ProductsBySku } from "./queries";

interface ToPut {
  readonly product: Product;
  readonly count: number;
}

/** Sends a list to be reviewed. Nothing is ordered and nothing kept. */
export function useListReview() {
  return useMutation({
    meta: { onFailure: "log" },
    mutationFn: async (file: File) => {
      if (file.size > limits.max_list_bytes) throw new ListRefused(pageTexts.orderListTooLarge);
      const form = new FormData();
      form.append("list", file, file.name);
      // The contract knows the file as a text; the form is sent as it is.
      const body = form as unknown as { list: string };
      const call = await api.POST("/basket/review", { body, bodySerializer: () => form });
      return unwrap(call);
    },
  });
}

class ListRefused extends Error {}

/** What is wrong with the file, and what to do: the server's sentence where it has one. */
export function listFailure(error: unknown): string {
  if (error instanceof ListRefused) return error.message;
  if (error instanceof ApiError && [400, 413].includes(error.status)) {
    return Object.values(error.errors)[0]?.[0] ?? error.message;
  }
  return failureText(error);
}

/** Puts reviewed lines into the basket, in place of what is there or beside it; says why it cannot. */
export function usePutIntoBasket() {
  const client = useQueryClient();
  return (chosen: readonly ToPut[], how: "replace" | "add"): string | undefined => {
    const counts = new Map<string, number>();
    const before = how === "add" ? basket.lines() : [];
    for (const { sku, count } of before) counts.set(sku, count);
    for (const { product, count } of chosen) {
      counts.set(product.sku, Math.min((counts.get(product.sku) ?? 0) + count, limits.max_count));
    }
    if (counts.size > limits.max_lines) {
      return `A basket holds at most ${counted(limits.max_lines, "product")}.`;
    }
    const products = chosen.map(({ product }) => product);
    client.setQueryData<ProductsBySku>(productKeys.cart, (known) => ({
      ...known,
      ...Object.fromEntries(products.map((product) => [product.sku, product])),
    }));
    basket.replace(
      [...counts].map(([sku, count]) => ({ sku, count })),
      {
        ...basket.chosenPrices(),
        ...Object.fromEntries(products.map(({ sku, usd_supply }) => [sku, usd_supply])),
      },
    );
    return undefined;
  };
}
