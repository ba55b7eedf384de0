import { queryOptions } from "@tanstack/react-query";
import { policyKeys } from "@/shared/query-keys";
import { api, unwrap } from "./client";
import type { components } from "./schema.gen";

export type Policy = components["schemas"]["PolicyText"];

export const POLICY_TITLE = "Privacy policy and terms of use";

/** GET /policy: the version that holds today. */
export const policy = queryOptions({
  queryKey: policyKeys.text,
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }) => unwrap(await api.GET("/policy", { signal })),
});
