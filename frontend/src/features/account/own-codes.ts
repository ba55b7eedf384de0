import { infiniteQueryOptions, keepPreviousData, useMutation } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import type { components } from "@/api/schema.gen";
import { accountKeys } from "@/shared/query-keys";

export type OwnCode = components["schemas"]["OwnCodeRow"];

/** GET /account/own-codes: by pages, by their letters. */
export const ownCodes = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...accountKeys.codes, search] as const,
    initialPageParam: "",
    placeholderData: keepPreviousData,
    queryFn: async ({ pageParam: after, signal }) => {
      const query = { ...(search && { search }), ...(after && { after }) };
      return unwrap(await api.GET("/account/own-codes", { params: { query }, signal }));
    },
    getNextPageParam: (page) => page.next,
  });

/** DELETE /account/own-codes. */
export function useForgetCode() {
  return useMutation({
    meta: { onFailure: "alert", refreshes: [accountKeys.codes] },
    mutationFn: async (own_code_id: number) => {
      const params = { path: { own_code_id: String(own_code_id) } };
      return unwrap(await api.DELETE("/account/own-codes/{own_code_id}", { params }));
    },
  });
}
