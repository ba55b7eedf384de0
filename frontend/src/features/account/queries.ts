import { infiniteQueryOptions, keepPreviousData, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import type { components } from "@/api/schema.gen";
import { accountKeys } from "@/shared/query-keys";

type Schemas = components["schemas"];
export type AccountSums = Schemas["Account"];
export type OwedRow = Schemas["OwedRow"];
export type AccountStatement = Schemas["AccountStatement"];
export type FileFormat = "pdf" | "xlsx" | "csv";

/** Days of the seller, `YYYY-MM-DD`; empty where the server chooses: this month. */
export interface Days {
  readonly since: string;
  readonly until: string;
}

/** The days that are named. */
export function named({ since, until }: Days): Partial<Days> {
  return { ...(since && { since }), ...(until && { until }) };
}

/** GET /account: what is owed and when; the sums are over all orders, the orders come by pages. */
export const account = infiniteQueryOptions({
  queryKey: accountKeys.owed,
  initialPageParam: 1,
  queryFn: async ({ pageParam: page, signal }) => {
    const query = page > 1 ? { page } : {};
    return unwrap(await api.GET("/account", { params: { query }, signal }));
  },
  getNextPageParam: (page) => page.next,
});

/** GET /account/statement: the account over some days. */
export const statement = (days: Days) =>
  queryOptions({
    queryKey: accountKeys.statement(days.since, days.until),
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const params = { query: named(days) };
      // Not as a file, which this call answers where it is asked for one.
      return unwrap(await api.GET("/account/statement", { params, signal })) as AccountStatement;
    },
  });
