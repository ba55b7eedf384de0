import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { accountKeys, walletKeys } from "@/shared/query-keys";
import { api, type Schemas, unwrap } from "./client";

export type AccountCounts = Schemas["AccountCounts"];
export type AccountDocument = Schemas["AccountDocument"];
export type DocumentKind = AccountDocument["kind"] | "";

/** GET /account/counts: how much each part of the account holds, for the menus. */
export const accountCounts = queryOptions({
  queryKey: accountKeys.counts,
  queryFn: async ({ signal }) => unwrap(await api.GET("/account/counts", { signal })),
});

/** File links die after an hour: a page as old as this is fetched again when the tab is looked at. */
const LINKS_AGE_MS = 45 * 60_000;

/** GET /account/documents: by pages, those of the newest order first. */
export const documents = (search: string, kind: DocumentKind = "") =>
  infiniteQueryOptions({
    queryKey: ["account", "documents", search, kind],
    staleTime: LINKS_AGE_MS,
    initialPageParam: undefined as number | undefined,
    placeholderData: keepPreviousData,
    queryFn: async ({ pageParam: after, signal }) => {
      const query = { ...(search && { search }), ...(kind && { kind }), ...(after && { after }) };
      return unwrap(await api.GET("/account/documents", { params: { query }, signal }));
    },
    getNextPageParam: (page) => page.next,
  });

export type WalletAnswer = Schemas["Wallet"];
export type WalletEntry = Schemas["WalletEntry"];

/** GET /wallet: the company's credit and every entry that makes it, newest first. */
export const wallet = queryOptions({
  queryKey: walletKeys.all,
  queryFn: async ({ signal }) => unwrap(await api.GET("/wallet", { signal })),
});
