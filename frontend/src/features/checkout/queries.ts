import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "@/api/client";
import { dashboardKeys, orderKeys, productKeys, temporaryOrderKeys } from "@/shared/query-keys";

export type TemporaryOrder = Schemas["TemporaryOrder"];
export type TemporaryOrderLine = Schemas["TemporaryOrderLine"];
export type Quote = Schemas["TemporaryOrderResult"];

const PENDING_AGAIN_MS = 3000;

/** The priced list with its quote and the stock of now, read anew at every visit and while a payment is confirmed. */
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

/** Asks anew for what an order changes once it is made. */
export function refreshOrders(client: QueryClient): void {
  for (const queryKey of [orderKeys.all, dashboardKeys.all, productKeys.all]) {
    void client.invalidateQueries({ queryKey });
  }
}
