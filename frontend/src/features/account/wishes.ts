import { infiniteQueryOptions, keepPreviousData, useMutation } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import type { components } from "@/api/schema.gen";
import { accountKeys } from "@/shared/query-keys";

export type Wish = components["schemas"]["WishRow"];

/** GET /account/wishes: by pages, the oldest first. */
export const openWishes = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...accountKeys.wishes, search] as const,
    initialPageParam: 0,
    placeholderData: keepPreviousData,
    queryFn: async ({ pageParam: after, signal }) => {
      const query = { ...(search && { search }), ...(after && { after }) };
      return unwrap(await api.GET("/account/wishes", { params: { query }, signal }));
    },
    getNextPageParam: (page) => page.next,
  });

/** DELETE /account/wishes. */
export function useDropWish() {
  return useMutation({
    meta: { onFailure: "alert", refreshes: [accountKeys.wishes] },
    mutationFn: async (wish_id: number) => {
      const params = { path: { wish_id: String(wish_id) } };
      return unwrap(await api.DELETE("/account/wishes/{wish_id}", { params }));
    },
  });
}
