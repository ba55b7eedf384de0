import { type QueryClient, type QueryKey, useMutation } from "@tanstack/react-query";
import { api, errorCode, type Schemas, unwrap } from "@/api/client";
import { sendOrKeep } from "@/api/outbox";
import { useUser } from "@/api/session";
import type { ShipFields } from "@/domain/shipping";
import { saveFile } from "@/shared/files";
import { useRepeatKey } from "@/shared/idempotency";
import { orderKeys } from "@/shared/query-keys";
import * as texts from "@/shared/texts";
import { alert } from "@/shared/ui/alerts";
import { type Order, type OrderDetails, type OrderQuery, orderDetails, paramsOf } from "./queries";
import { standing } from "./rules";

/** Shows what was saved at once, then asks for what else changed by it. */
function saved(client: QueryClient, invoiceCode: string, change: Partial<Order>) {
  client.setQueryData(
    orderDetails(invoiceCode).queryKey,
    (before: OrderDetails | undefined) =>
      before && { ...before, order: { ...before.order, ...change } },
  );
  return client.invalidateQueries({ queryKey: orderKeys.details(invoiceCode) });
}

/** Refusals of what an order took when its page was loaded. */
export const CHANGED: readonly string[] = ["wrong_status", "payment_pending"];

/** Besides, what the form's own fields say. */
export const SAID_AT_FIELDS: readonly string[] = [...CHANGED, "invalid"];

/** What every change of an order does: one that somebody else has changed is loaded anew, and says so. */
export function changing(
  invoiceCode: string,
  except = CHANGED,
  refreshes: readonly QueryKey[] = [],
) {
  return {
    meta: { onFailure: "alert", except, refreshes } as const,
    onError: async (
      error: Error,
      _change: unknown,
      _result: unknown,
      { client }: { client: QueryClient },
    ) => {
      if (!CHANGED.includes(errorCode(error) ?? "")) return;
      const { order } = await client.fetchQuery({ ...orderDetails(invoiceCode), staleTime: 0 });
      void client.invalidateQueries({ queryKey: orderKeys.all });
      await alert(`${texts.orderChanged} ${standing(order)}.`);
    },
  };
}

export type AddressForm = Schemas["AddressInfo"];

/** POST /order/address: the address as it is now, with the countries and its country's states. */
export function useAddressForm(invoiceCode: string) {
  return useMutation({
    meta: { onFailure: "alert" },
    mutationFn: async () =>
      unwrap(await api.POST("/order/address", { body: { invoice_code: invoiceCode } })).info,
  });
}

/** PUT /order/edit/address, up to status 2. */
export function useEditAddress(invoiceCode: string) {
  return useMutation({
    ...changing(invoiceCode, SAID_AT_FIELDS, [orderKeys.details(invoiceCode)]),
    mutationFn: async (address: ShipFields) => {
      const body = { ...address, invoice_code: invoiceCode };
      return unwrap(await api.PUT("/order/edit/address", { body }));
    },
  });
}

/** The orders of a tab that a query matches, as the file that the server writes. */
export function useExport(statusId: number, filters: OrderQuery) {
  return useMutation({
    meta: { onFailure: "alert" },
    mutationFn: async (format: "xlsx" | "csv") => {
      const path = { status_id: statusId };
      const query = { ...paramsOf(filters), format } as never;
      const call = await api.GET("/order/{status_id}", {
        params: { path, query },
        parseAs: "blob",
      });
      saveFile(unwrap(call) as unknown as Blob, `Orders.${format}`);
    },
  });
}

/** PUT /order/po-number: the buyer's own number, until the order is cancelled. */
export function useSetPoNumber(invoiceCode: string) {
  return useMutation({
    ...changing(invoiceCode, SAID_AT_FIELDS, [orderKeys.lists]),
    mutationFn: async (po_number: string) => {
      const params = { path: { invoice_code: invoiceCode } };
      return unwrap(
        await api.PUT("/order/po-number/{invoice_code}", { params, body: { po_number } }),
      );
    },
    onSuccess: (_answer, po_number, _result, { client }) =>
      void saved(client, invoiceCode, { po_number }),
  });
}

/** POST /order/customer/read: tells that the newest answer is seen. Nobody waits for it, so a failure is not told. */
export function readAnswer(invoiceCode: string, message_id: number): void {
  const params = { path: { invoice_code: invoiceCode } };
  void api
    .POST("/order/customer/read/{invoice_code}", { params, body: { message_id } })
    .catch(() => undefined);
}

/** Sends a text to the seller, or keeps it until there is a connection. A repeat of the same text is the same one. */
export function useSendText(invoiceCode: string, kind: "message" | "shipping") {
  const key = useRepeatKey();
  const { uuid } = useUser();
  return useMutation({
    ...changing(invoiceCode),
    mutationFn: async (text: string, { client }) => {
      const isSent = await sendOrKeep(uuid, { id: key.of(text), kind, invoiceCode, text });
      if (!isSent) return "waits";
      // New words in the order's details; the conversation is asked for anew.
      void saved(client, invoiceCode, {
        [kind === "message" ? "customer_memo" : "ship_memo"]: text,
      });
      void client.invalidateQueries({ queryKey: orderKeys.messages(invoiceCode) });
      return "sent";
    },
    onSuccess: key.renew,
  });
}

export type Balance = Schemas["BalanceInfo"];

/** POST /order/checkout: what is due now, for the popup. */
export function useBalance(invoiceCode: string) {
  return useMutation({
    ...changing(invoiceCode),
    mutationFn: async (): Promise<Balance> =>
      unwrap(await api.POST("/order/checkout", { body: { invoice_code: invoiceCode } })).info,
  });
}
