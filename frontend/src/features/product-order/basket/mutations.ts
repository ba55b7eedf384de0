import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { ApiError } from "@/api/errors";
import { useUser } from "@/api/session";
import { shipOf } from "@/domain/shipping";
import { useRepeatKey } from "@/shared/idempotency";
import { productKeys } from "@/shared/query-keys";
import { subtotal } from "../rules";

const REFUSED_BASKET = ["out_of_stock", "invalid", "price_changed", "below_minimum"];

/** Whether the basket was refused: its stock, its prices or its rules have changed since the screen read them. */
export function isRefusedBasket(error: unknown): error is ApiError {
  return error instanceof ApiError && REFUSED_BASKET.includes(error.code);
}

/** A line as the buyer is asked about it. Prices for a piece, in US dollars. */
export interface RequestedLine {
  readonly sku: string;
  readonly name: string;
  readonly count: number;
  readonly price: number;
  /** The price that was shown first, where another one has come since. */
  readonly before?: number;
}

/** POST /temp-order: asks for an order of lines, at the prices that the buyer was shown and no others. */
export function useRequestOrder() {
  const { uuid, ...buyer } = useUser();
  const key = useRepeatKey();
  const client = useQueryClient();
  return useMutation({
    meta: { onFailure: "alert", except: REFUSED_BASKET },
    mutationFn: async (lines: readonly RequestedLine[]) => {
      const body = {
        uuid,
        export_report: 0 as const,
        ...shipOf(buyer),
        count: lines.length,
        total: subtotal(lines) / 100,
        product: lines.map(({ sku, count, price }) => ({ sku, count, seen_price: price })),
      };
      const header = { "Idempotency-Key": key.of(body) };
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
    mutationFn: async () => {
      const params = { path: { uuid }, query: { format: "xlsx" as const } };
      const call = await api.GET("/excel/product-setting/{uuid}", { params, parseAs: "blob" });
      return unwrap(call) as unknown as Blob;
    },
  });
}
