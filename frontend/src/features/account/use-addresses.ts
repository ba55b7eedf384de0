import { useMutation } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { useSession } from "@/api/session";
import type { ShipFields } from "@/domain/shipping";
import { accountKeys, addressKeys } from "@/shared/query-keys";
import { token } from "@/shared/token";

/** A change of the address book; then it is asked anew what the buyer's orders begin with. */
function useChange<Change>(
  change: (what: Change) => Promise<unknown>,
  except: readonly string[] = [],
) {
  const { signIn } = useSession();
  const refresh = async () => {
    const answer = unwrap(await api.POST("/check", { body: { token: token.get() ?? "" } }));
    if (answer.token && answer.user) signIn(answer.token, answer.user);
  };
  return useMutation({
    meta: { onFailure: "alert", except, refreshes: [addressKeys.book, accountKeys.counts] },
    mutationFn: change,
    onSuccess: () => void refresh(),
  });
}

const paramsOf = (address_id: number) => ({ path: { address_id: String(address_id) } });

/** POST or PUT /account/addresses; a new one has no id. */
export function useSaveAddress() {
  return useChange(
    async ({ address_id, ...body }: ShipFields & { address_id?: number; name: string }) => {
      if (address_id === undefined) return unwrap(await api.POST("/account/addresses", { body }));
      const params = paramsOf(address_id);
      return unwrap(await api.PUT("/account/addresses/{address_id}", { params, body }));
    },
    ["invalid"],
  );
}

/** DELETE /account/addresses. */
export const useDeleteAddress = () =>
  useChange(async (id: number) =>
    unwrap(await api.DELETE("/account/addresses/{address_id}", { params: paramsOf(id) })),
  );

/** PUT /account/addresses/{address_id}/default. */
export const useMakeDefault = () =>
  useChange(async (id: number) =>
    unwrap(await api.PUT("/account/addresses/{address_id}/default", { params: paramsOf(id) })),
  );
