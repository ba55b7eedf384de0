import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import type { components } from "@/api/schema.gen";
import type { ShipFields } from "@/domain/shipping";
import { dashboardKeys, orderKeys, walletKeys } from "@/shared/query-keys";
import { type Order, type OrderDetails, orderDetails } from "./queries";

/** Shows what was saved at once, then asks for what else changed by it. */
function saved(client: QueryClient, invoiceCode: string, change: Partial<Order>) {
  client.setQueryData(
    orderDetails(invoiceCode).queryKey,
    (shown: OrderDetails | undefined) =>
      shown && { ...shown, order: { ...shown.order, ...change } },
  );
  return client.invalidateQueries({ queryKey: orderKeys.details(invoiceCode) });
}

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
  const client = useQueryClient();
  return useMutation({
    meta: { onFailure: "alert" },
    mutationFn: async (address: ShipFields) => {
      const body = { ...address, invoice_code: invoiceCode };
      return unwrap(await api.PUT("/order/edit/address", { body }));
    },
    onSuccess: () => void client.invalidateQueries({ queryKey: orderKeys.details(invoiceCode) }),
  });
}

/** PUT /order/customer/memo: a message to the seller. */
export function useSendMessage(invoiceCode: string) {
  const client = useQueryClient();
  return useMutation({
    meta: { onFailure: "alert" },
    mutationFn: async (customer_memo: string) => {
      const path = { invoice_code: invoiceCode };
      const body = { customer_memo };
      const answer = await api.PUT("/order/customer/memo/{invoice_code}", {
        params: { path },
        body,
      });
      return unwrap(answer);
    },
    onSuccess: (_answer, customer_memo) => void saved(client, invoiceCode, { customer_memo }),
  });
}

/** POST /order/customer/ship-memo: the request for shipping. */
export function useRequestShipping(invoiceCode: string) {
  const client = useQueryClient();
  return useMutation({
    meta: { onFailure: "alert" },
    mutationFn: async (ship_memo: string) => {
      const path = { invoice_code: invoiceCode };
      const body = { ship_memo };
      const answer = await api.POST("/order/customer/ship-memo/{invoice_code}", {
        params: { path },
        body,
      });
      return unwrap(answer);
    },
    onSuccess: (_answer, ship_memo) => void saved(client, invoiceCode, { ship_memo }),
  });
}

export type Balance = components["schemas"]["BalanceInfo"];

/** POST /order/checkout: what is due now, for the popup. */
export function useBalance(invoiceCode: string) {
  return useMutation({
    meta: { onFailure: "alert" },
    mutationFn: async (): Promise<Balance> =>
      unwrap(await api.POST("/order/checkout", { body: { invoice_code: invoiceCode } })).info,
  });
}

/** Asks anew for what a payment of the balance changes. */
function refreshPaid(client: QueryClient): void {
  for (const queryKey of [orderKeys.all, dashboardKeys.all, walletKeys.all]) {
    void client.invalidateQueries({ queryKey });
  }
}

/** POST /order/tt: announces the wire of the balance; the order stays Confirmed until it arrives. */
export function useAnnounceWire(invoiceCode: string) {
  const client = useQueryClient();
  return useMutation({
    meta: { onFailure: "alert" },
    mutationFn: async (depositor_name: string) => {
      const body = { invoice_code: invoiceCode, depositor_name };
      return unwrap(await api.POST("/order/tt", { body }));
    },
    // After a refusal too: somebody else of the company may have paid meanwhile.
    onSettled: () => void client.invalidateQueries({ queryKey: orderKeys.details(invoiceCode) }),
  });
}

/** POST /order/paypal: the provider's approval address for the balance. */
export function usePaypalLink(invoiceCode: string) {
  const client = useQueryClient();
  return useMutation({
    meta: { onFailure: "alert" },
    mutationFn: async () =>
      unwrap(await api.POST("/order/paypal", { body: { invoice_code: invoiceCode } })).link,
    onError: () => void client.invalidateQueries({ queryKey: orderKeys.details(invoiceCode) }),
  });
}

/** POST /order/wallet: pays the balance as far as the company's credit goes. */
export function useCredit(invoiceCode: string) {
  const client = useQueryClient();
  return useMutation({
    meta: { onFailure: "alert" },
    mutationFn: async () =>
      unwrap(await api.POST("/order/wallet", { body: { invoice_code: invoiceCode } })),
    onSettled: () => refreshPaid(client),
  });
}
