import { queryOptions } from "@tanstack/react-query";
import { sessionKeys } from "@/shared/query-keys";
import { api, unwrap } from "./client";

/** GET /config as a signed-in buyer gets it: with the seller's accounts, which may change while a tab is open. */
export const buyerConfig = queryOptions({
  queryKey: sessionKeys.config,
  staleTime: 60_000,
  meta: { onFailure: "alert" },
  queryFn: async ({ signal }) => unwrap(await api.GET("/config", { signal })),
});
