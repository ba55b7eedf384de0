import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { orderKeys } from "@/shared/query-keys";
import { changing } from "./mutations";

/** POST /order/withdraw: takes an order at Received back; `toChange` if its products are ordered anew. */
export function useWithdraw(invoiceCode: string) {
  const client = useQueryClient();
  return useMutation({
    ...changing(client, invoiceCode),
    mutationKey: orderKeys.standing(invoiceCode),
    mutationFn: async (toChange: boolean) => {
      const params = { path: { invoice_code: invoiceCode } };
      const body = { to_change: toChange ? 1 : 0 } as const;
      return unwrap(await api.POST("/order/withdraw/{invoice_code}", { params, body }));
    },
    onSuccess: () => void client.invalidateQueries({ queryKey: orderKeys.all }),
  });
}
