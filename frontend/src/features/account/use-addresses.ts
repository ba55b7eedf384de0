import { useMutation, useQueryClient } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { useSession } from "@/api/session";
import type { ShipFields } from "@/domain/shipping";
import { accountKeys, addressKeys } from "@/shared/query-keys";
import { token } from "@/shared/token";

/** What the dialog of an address sends; a new one has no id. */
export interface AddressForm extends ShipFields {
  address_id: number | undefined;
  name: string;
}

/** Asks anew for the book, and for what the buyer's orders begin with. */
function useRefresh() {
  const client = useQueryClient();
  const { signIn } = useSession();
  return async () => {
    void client.invalidateQueries({ queryKey: addressKeys.book });
    void client.invalidateQueries({ queryKey: accountKeys.counts });
    const answer = unwrap(await api.POST("/check", { body: { token: token.get() ?? "" } }));
    if (answer.token && answer.user) signIn(answer.token, answer.user);
  };
}

/** POST or PUT /account/addresses. */
export function useSaveAddress() {
  const refresh = useRefresh();
  return useMutation({
    meta: { onFailure: "alert", except: ["invalid"] },
    mutationFn: async ({ address_id, ...body }: AddressForm) => {
      if (address_id === undefined)
        return void unwrap(await api.POST("/account/addresses", { body }));
      const params = { path: { address_id: String(address_id) } };
      unwrap(await api.PUT("/account/addresses/{address_id}", { params, body }));
    },
    onSuccess: () => void refresh(),
  });
}

/** DELETE /account/addresses. */
export function useDeleteAddress() {
  const refresh = useRefresh();
  return useMutation({
    meta: { onFailure: "alert" },
    mutationFn: async (address_id: number) => {
      const params = { path: { address_id: String(address_id) } };
      return unwrap(await api.DELETE("/account/addresses/{address_id}", { params }));
    },
    onSuccess: () => void refresh(),
  });
}

/** PUT /account/addresses/{address_id}/default. */
export function useMakeDefault() {
  const refresh = useRefresh();
  return useMutation({
    meta: { onFailure: "alert" },
    mutationFn: async (address_id: number) => {
      const params = { path: { address_id: String(address_id) } };
      return unwrap(await api.PUT("/account/addresses/{address_id}/default", { params }));
    },
    onSuccess: () => void refresh(),
  });
}
