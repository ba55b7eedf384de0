import { queryOptions, useMutation } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import type { components } from "@/api/schema.gen";
import { accountKeys, productKeys } from "@/shared/query-keys";

const SHOWN = 5;

/** The first products that a search finds, for choosing one of them. */
export const foundProducts = (uuid: string, search: string) =>
  queryOptions({
    queryKey: [...productKeys.all, "found", search],
    enabled: search !== "",
    queryFn: async ({ signal }) => {
      const params = { path: { uuid, brand_id: 0 }, query: { search } };
      const call = await api.GET("/product/stock/{uuid}/{brand_id}", { params, signal });
      return unwrap(call).result.slice(0, SHOWN);
    },
  });

/** POST /account/own-codes: keeps what the company calls a product, and returns the list's line with it. */
export function useLearnCode() {
  return useMutation({
    meta: { refreshes: [accountKeys.codes] },
    mutationFn: async (body: components["schemas"]["LearnedCodeRequest"]) =>
      unwrap(await api.POST("/account/own-codes", { body })).line,
  });
}
