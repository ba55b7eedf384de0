import { infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import type { components } from "@/api/schema.gen";
import { orderKeys } from "@/shared/query-keys";

export type OrderListItem = components["schemas"]["OrderListItem"];
export type OrderDetails = components["schemas"]["OrderDetails"];
export type Order = OrderDetails["order"];
export type OrderLine = OrderDetails["details"][number];

/** Orders of a tab (0 = all), newest first, by pages. */
export const orderList = (statusId: number) =>
  infiniteQueryOptions({
    queryKey: orderKeys.list(statusId),
    meta: { onFailure: "alert" },
    initialPageParam: "",
    queryFn: async ({ pageParam: after, signal }) => {
      const params = { path: { status_id: statusId }, query: after ? { after } : {} };
      return unwrap(await api.GET("/order/{status_id}", { params, signal }));
    },
    getNextPageParam: (page) => (page.has_next ? page.next : null),
  });

/** File links die after an hour: details as old as this are fetched again when the tab is looked at. */
const LINKS_AGE_MS = 45 * 60_000;

function linksAreOld({ state }: { state: { dataUpdatedAt: number } }): "always" | false {
  return Date.now() - state.dataUpdatedAt > LINKS_AGE_MS ? "always" : false;
}

/** All about one order of the buyer's company. */
export const orderDetails = (invoiceCode: string) =>
  queryOptions({
    queryKey: orderKeys.details(invoiceCode),
    meta: { onFailure: "alert" },
    refetchOnWindowFocus: linksAreOld,
    queryFn: async ({ signal }) => {
      const path = { invoice_code: invoiceCode };
      return unwrap(await api.GET("/details/{invoice_code}", { params: { path }, signal }));
    },
  });
