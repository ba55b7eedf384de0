import { queryOptions, useMutation } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { accountKeys } from "@/shared/query-keys";

/** GET /account/colleagues: who orders for the company, and who waits for the approval. */
export const colleagues = queryOptions({
  queryKey: accountKeys.colleagues,
  queryFn: async ({ signal }) =>
    unwrap(await api.GET("/account/colleagues", { signal })).colleagues,
});

/** POST /account/colleagues: asks for another. */
export function useAskForColleague() {
  return useMutation({
    meta: { onFailure: "alert", except: ["invalid"], refreshes: [accountKeys.colleagues] },
    mutationFn: async (body: { manager: string; email: string }) =>
      unwrap(await api.POST("/account/colleagues", { body })),
  });
}
