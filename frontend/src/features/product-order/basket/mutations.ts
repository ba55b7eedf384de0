import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { ApiError } from "@/api/errors";
import { useUser } from "@/api/session";
import type { BasketLine } from "@/domain/basket";
import { shipOf } from "@/domain/shipping";
import { useIdempotencyKey } from "@/shared/idempotency";
import { productKeys } from "@/shared/query-keys";

const REFUSED_BASKET = ["out_of_stock", "invalid"];

/** Whether the basket was refused: its stock or its rules have changed since the screen read them. */
export function isRefusedBasket(error: unknown): error is ApiError {
  return error instanceof ApiError && REFUSED_BASKET.includes(error.code);
}

/** POST /temp-order: asks for an order of the basket's lines. `total` in US dollars. */
export function useRequestOrder() {
  const { uuid, ...buyer } = useUser();
  const keyOf = useIdempotencyKey();
  const client = useQueryClient();
  return useMutation({
    meta: { onFailure: "alert", except: REFUSED_BASKET },
    mutationFn: async ({ lines, total }: { lines: readonly BasketLine[]; total: number }) => {
      const body = {
        uuid,
        export_report: 0 as const,
        ...shipOf(buyer),
        count: lines.length,
        total,
        product: [...lines],
      };
      const header = { "Idempotency-Key": keyOf(body) };
      const params = { query: { shop: "first" }, header };
      return unwrap(await api.POST("/temp-order", { params, body }));
    },
    onError: (error) => {
      if (!isRefusedBasket(error)) return;
      void client.invalidateQueries({ queryKey: productKeys.cart });
      void client.resetQueries({ queryKey: productKeys.lists });
    },
  });
}

/** The price list as the file that the server writes. */
export function usePriceList() {
  const { uuid } = useUser();
  return useMutation({
    meta: { onFailure: "log" },
    mutationFn: async () => {
      const params = { path: { uuid }, query: { format: "xlsx" as const } };
      const call = await api.GET("/excel/product-setting/{uuid}", { params, parseAs: "blob" });
      return unwrap(call) as unknown as Blob;
    },
  });
}
