import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { orderKeys } from "@/shared/query-keys";
import { CHANGED, changing } from "./mutations";

/** POST /order/withdraw: takes an order at Received back; `toChange` if its products are ordered anew. */
export function useWithdraw(invoiceCode: string) {
  return useMutation({
    ...changing(invoiceCode, CHANGED, [orderKeys.all]),
    mutationKey: orderKeys.standing(invoiceCode),
    mutationFn: async (toChange: boolean) => {
      const params = { path: { invoice_code: invoiceCode } };
      const body = { to_change: toChange ? 1 : 0 } as const;
      return unwrap(await api.POST("/order/withdraw/{invoice_code}", { params, body }));
    },
  });
}
