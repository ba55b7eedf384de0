import { queryOptions } from "@tanstack/react-query";
import { walletKeys } from "@/shared/query-keys";
import { api, unwrap } from "./client";
import type { components } from "./schema.gen";

export type WalletAnswer = components["schemas"]["Wallet"];
export type WalletEntry = components["schemas"]["WalletEntry"];

/** GET /wallet: the company's credit and every entry that makes it, newest first. */
export const wallet = queryOptions({
  queryKey: walletKeys.all,
  queryFn: async ({ signal }) => unwrap(await api.GET("/wallet", { signal })),
});
