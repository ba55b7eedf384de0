import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import { type WalletAnswer, wallet } from "@/api/account";
import { api, isUncertain, unwrap } from "@/api/client";
import { dashboardKeys, orderKeys, walletKeys } from "@/shared/query-keys";
import { changing, SAID_AT_FIELDS } from "./mutations";
import { orderDetails } from "./queries";

/** Pays the balance from the company's credit. Where the answer is lost, the wallet tells whether it was paid. */
export async function payFromCredit(
  client: QueryClient,
  invoice_code: string,
  before: WalletAnswer,
) {
  try {
    return unwrap(await api.POST("/order/wallet", { body: { invoice_code } }));
  } catch (error) {
    const paid = isUncertain(error) && (await foundPaid(client, invoice_code, before));
    if (!paid) throw error;
    return paid;
  } finally {
    for (const queryKey of [orderKeys.all, dashboardKeys.all, walletKeys.all]) {
      void client.invalidateQueries({ queryKey });
    }
  }
}

/** What an order took of the wallet since `before`, and where it stands now; undefined if nothing, or if nobody can tell. */
async function foundPaid(client: QueryClient, invoiceCode: string, before: WalletAnswer) {
  try {
    const now = await client.fetchQuery({ ...wallet, staleTime: 0 });
    const uses = ({ entries }: WalletAnswer) =>
      entries.filter(({ kind, invoice_code }) => kind === "use" && invoice_code === invoiceCode);
    const [use] = uses(now);
    if (!use || uses(now).length === uses(before).length) return;
    const { order } = await client.fetchQuery({ ...orderDetails(invoiceCode), staleTime: 0 });
    return { amount: -use.amount, status_id: order.status_id };
  } catch {
    return;
  }
}

/** POST /order/tt: announces the wire of the balance that was shown; the order stays Confirmed until it arrives. */
export function useAnnounceWire(invoiceCode: string) {
  const client = useQueryClient();
  return useMutation({
    ...changing(invoiceCode, SAID_AT_FIELDS),
    mutationKey: orderKeys.standing(invoiceCode),
    mutationFn: async (wire: { depositor_name: string; amount: number }) => {
      const body = { invoice_code: invoiceCode, ...wire };
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
    ...changing(invoiceCode),
    mutationFn: async () =>
      unwrap(await api.POST("/order/paypal", { body: { invoice_code: invoiceCode } })).link,
    onSettled: () => void client.invalidateQueries({ queryKey: orderKeys.details(invoiceCode) }),
  });
}
