import { queryOptions } from "@tanstack/react-query";
import { accountKeys } from "@/shared/query-keys";
import { api, unwrap } from "./client";
import type { components } from "./schema.gen";

export type AccountCounts = components["schemas"]["AccountCounts"];

/** GET /account/counts: how much each part of the account holds, for the menus. */
export const accountCounts = queryOptions({
  queryKey: accountKeys.counts,
  meta: { onFailure: "log" },
  queryFn: async ({ signal }) => unwrap(await api.GET("/account/counts", { signal })),
});
