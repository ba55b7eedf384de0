import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import type { components } from "@/api/schema.gen";
import { temporaryOrderKeys } from "@/shared/query-keys";

export type TemporaryOrder = components["schemas"]["TemporaryOrder"];
export type TemporaryOrderLine = components["schemas"]["TemporaryOrderLine"];
export type Quote = components["schemas"]["TemporaryOrderResult"];

const PENDING_AGAIN_MS = 3000;

/**
 * The priced list with its quote and the stock as it is now; read anew at every visit, and again and
 * again while a payment of it is being confirmed.
 */
export const temporaryOrder = (invoiceCode: string) =>
  queryOptions({
    queryKey: temporaryOrderKeys.info(invoiceCode),
    meta: { onFailure: "alert", except: ["order_exists", "expired", "not_found"] },
    gcTime: 0,
    queryFn: async ({ signal }) => {
      const params = { path: { invoice_code: invoiceCode } };
      const call = await api.GET("/temp-order-info/stock/{invoice_code}", { params, signal });
      return unwrap(call).result;
    },
    refetchInterval: ({ state: { data, status } }) =>
      data?.temp_order.payment_pending && status === "success" ? PENDING_AGAIN_MS : false,
  });
