import { queryOptions } from "@tanstack/react-query";
import { sessionKeys } from "@/shared/query-keys";
import { api, unwrap } from "./client";

/** GET /config as a signed-in buyer gets it: with the bank block. */
export const buyerConfig = queryOptions({
  queryKey: sessionKeys.config,
  staleTime: Number.POSITIVE_INFINITY,
  meta: { onFailure: "alert" },
  queryFn: async ({ signal }) => unwrap(await api.GET("/config", { signal })),
});
