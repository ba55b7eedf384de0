import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { api, isUncertain, type Schemas, unwrap } from "@/api/client";
import { useUser } from "@/api/session";
import type { ShipFields } from "@/domain/shipping";
import { useRepeatKey } from "@/shared/idempotency";
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

/** Refusals that the screen answers itself. */
const TREATED = ["order_exists", "out_of_stock", "invalid", "expired", "payment_pending"];

/** What both ways to pay the deposit send. `amount` in US dollars, as quoted. */
export interface CheckoutForm extends ShipFields {
  invoice_code: string;
  export_report: 0 | 1;
  ship_memo: string;
  po_number: string;
  amount: number;
}

/** Asks anew for what an order changes once it is made. */
export function refreshOrders(client: QueryClient): void {
  for (const queryKey of [orderKeys.all, dashboardKeys.all, productKeys.all]) {
    void client.invalidateQueries({ queryKey });
  }
}

/** POST /order/check: whether the list has become an order already. */
async function orderExists(invoice_code: string): Promise<boolean> {
  return unwrap(await api.POST("/order/check", { body: { invoice_code } })).success === 1;
}

/** The deposit by bank wire; undefined if the list is an order already. */
export function useWireCheckout() {
  const { uuid, email } = useUser();
  const key = useRepeatKey();
  const client = useQueryClient();
  const answerLost = useRef(false);
  return useMutation({
    meta: { onFailure: "alert", except: TREATED },
    mutationFn: async ({ depositor, ...form }: CheckoutForm & { depositor: string }) => {
      // After a lost answer the repeat must reach the server: its key gets the first answer.
      if (!answerLost.current && (await orderExists(form.invoice_code))) return undefined;
      const body = {
        ...form,
        uuid,
        email,
        type: "ORDER" as const,
        payment_type: "T/T" as const,
        payer_id: depositor,
      };
      const header = { "Idempotency-Key": key.of(body) };
      const params = { query: { send: 0 }, header };
      const answer = unwrap(await api.POST("/order/checkout-deposit/tt", { params, body }));
      return answer.invoice_code;
    },
    onError: (error) => {
      answerLost.current = isUncertain(error);
    },
    onSuccess: () => refreshOrders(client),
  });
}

/** The deposit by PayPal: the provider's approval address; undefined if the list is an order already. */
export function usePaypalCheckout() {
  const { uuid, email } = useUser();
  return useMutation({
    meta: { onFailure: "alert", except: TREATED },
    mutationFn: async (form: CheckoutForm) => {
      if (await orderExists(form.invoice_code)) return undefined;
      const body = {
        ...form,
        uuid,
        email,
        type: "ORDER" as const,
        payment_type: "PAYPAL" as const,
      };
      const params = { query: { send: 0 } };
      return unwrap(await api.POST("/order/checkout-deposit/paypal", { params, body })).link;
    },
  });
}

export function useCancelCheckout() {
  return useMutation({
    meta: { onFailure: "alert", except: ["order_exists", "not_found"] },
    mutationFn: async (invoice_code: string) => {
      const params = { path: { invoice_code } };
      return unwrap(await api.DELETE("/temp-order/{invoice_code}", { params }));
    },
  });
}
