import { type InfiniteData, infiniteQueryOptions, queryOptions } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "@/api/client";
import { storedText } from "@/domain/stored-text";
import { connection } from "@/shared/online";
import { orderKeys, temporaryOrderKeys } from "@/shared/query-keys";
import { token } from "@/shared/token";

export type OrderListItem = Schemas["OrderListItem"];
type OrderListPage = Schemas["OrderList"];
export type OrderDetails = Schemas["OrderDetails"];
export type Order = OrderDetails["order"];
export type OrderLine = OrderDetails["details"][number];

/** Filters and order of the list: words, how the payment stands (divided by commas), the seller's days, which end first. */
export const ALL_ORDERS = {
  search: "",
  payment: "",
  since: "",
  until: "",
  sort: "newest" as "newest" | "oldest",
};
export type OrderQuery = Readonly<typeof ALL_ORDERS>;

/** Parameters of the call: what differs from `ALL_ORDERS`. */
export function paramsOf(filters: OrderQuery): Partial<OrderQuery> {
  return Object.fromEntries(
    Object.entries(filters).filter(([name, value]) => value !== ALL_ORDERS[name as "search"]),
  );
}

/** What was seen of orders, for a start without a connection. Local storage: sign-out and expiry empty it in every tab. */
const OFFLINE_ORDERS = "orders-seen";
const MOST = 12;
/** Beyond it local storage could lack the room that the basket needs. */
const MOST_CHARS = 80_000;

interface OfflineAnswer {
  readonly name: string;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly answer: unknown;
}

const offlineAnswers = (): OfflineAnswer[] =>
  JSON.parse(storedText.get(OFFLINE_ORDERS) ?? "[]") as OfflineAnswer[];

/** Keeps an answer of the server under a name, instead of the one before; the last twelve are kept. */
function keepOffline<Answer>(name: string, answer: Answer): Answer {
  if (!token.get() || JSON.stringify(answer).length > MOST_CHARS) return answer;
  const others = offlineAnswers().filter((entry) => entry.name !== name);
  const entries = [{ name, at: Date.now(), answer }, ...others].slice(0, MOST);
  if (!storedText.set(OFFLINE_ORDERS, JSON.stringify(entries))) storedText.remove(OFFLINE_ORDERS);
  return answer;
}

/** What a query begins with: nothing while there is a connection, else what was seen under the name, and when. */
function fromOffline<Answer, Data>(name: string, asData: (answer: Answer) => Data) {
  const stored = () =>
    connection.isOnline() ? undefined : offlineAnswers().find((entry) => entry.name === name);
  return {
    initialData: (): Data | undefined => {
      const offline = stored();
      return offline && asData(offline.answer as Answer);
    },
    initialDataUpdatedAt: () => stored()?.at,
  };
}

/** Orders of a tab (0 = all) that a query matches, by pages; the last ones stay while others are asked for. */
export const orderList = (statusId: number, filters: OrderQuery) => {
  const filterParams = paramsOf(filters);
  const name = Object.keys(filterParams).length ? "" : `list:${statusId}`;
  return infiniteQueryOptions({
    queryKey: [...orderKeys.lists, statusId, filterParams],
    meta: { onFailure: "alert" },
    initialPageParam: "",
    ...fromOffline(
      name,
      (page: OrderListPage): InfiniteData<OrderListPage, string> => ({
        pages: [page],
        pageParams: [""],
      }),
    ),
    placeholderData: (before: InfiniteData<OrderListPage, string> | undefined, query) =>
      query?.queryKey[2] === statusId ? before : undefined,
    queryFn: async ({ pageParam: after, signal }) => {
      const params = {
        path: { status_id: statusId },
        query: { ...filterParams, ...(after && { after }) } as never,
      };
      // Not as a file, which this call answers where it is asked for one.
      const page = unwrap(await api.GET("/order/{status_id}", { params, signal })) as OrderListPage;
      return name && !after ? keepOffline(name, page) : page;
    },
    select: ({ pages }) => pages.flatMap((page) => page.orderList),
    getNextPageParam: (page) => (page.has_next ? page.next : null),
  });
};

export type OrderSums = Schemas["OrderSums"];

/** GET /order-sums: how many orders of a tab match, their sum, and how many stand how with their payment. */
export const orderSums = (statusId: number, { sort: _, ...filters }: OrderQuery) => {
  const filterParams = paramsOf({ ...filters, sort: ALL_ORDERS.sort });
  return queryOptions({
    queryKey: [...orderKeys.all, "sums", statusId, filterParams],
    placeholderData: (before: OrderSums | undefined, query) =>
      query?.queryKey[2] === statusId ? before : undefined,
    queryFn: async ({ signal }) => {
      const params = { path: { status_id: statusId }, query: filterParams };
      return unwrap(await api.GET("/order-sums/{status_id}", { params, signal }));
    },
  });
};

export type UnfinishedRequest = Schemas["UnfinishedRequest"];

/** GET /temp-orders: the buyer's requests that were left before the checkout, until they expire. */
export const unfinishedRequests = queryOptions({
  queryKey: temporaryOrderKeys.unfinished,
  queryFn: async ({ signal }) => unwrap(await api.GET("/temp-orders", { signal })).result,
});

const LOOK_AGAIN_MS = 5000;

/** An order's row of the list, which says how it stands: looked at again and again while its page is seen. */
export const orderRow = (invoiceCode: string) =>
  queryOptions({
    queryKey: [...orderKeys.all, "row", invoiceCode],
    // The details have just come with the page.
    initialData: null,
    refetchInterval: LOOK_AGAIN_MS,
    refetchOnWindowFocus: "always",
    queryFn: async ({ signal }): Promise<OrderListItem | null> => {
      const params = { path: { status_id: 0, invoice_code: invoiceCode } };
      const call = await api.GET("/order/{status_id}/{invoice_code}", { params, signal });
      return unwrap(call).orderList[0] ?? null;
    },
  });

/** File links die after an hour: details as old as this are fetched again when the tab is looked at. */
const LINKS_AGE_MS = 45 * 60_000;

/** All about one order of the buyer's company. */
export const orderDetails = (invoiceCode: string) =>
  queryOptions({
    queryKey: orderKeys.details(invoiceCode),
    meta: { onFailure: "alert" },
    refetchOnWindowFocus: ({ state }) =>
      Date.now() - state.dataUpdatedAt > LINKS_AGE_MS ? "always" : false,
    ...fromOffline(invoiceCode, (details: OrderDetails) => details),
    queryFn: async ({ signal }) => {
      const path = { invoice_code: invoiceCode };
      const details = unwrap(
        await api.GET("/details/{invoice_code}", { params: { path }, signal }),
      );
      return keepOffline(invoiceCode, details);
    },
  });

/** What was written on an order: the newest page first, then back. */
export const conversation = (invoiceCode: string) =>
  infiniteQueryOptions({
    queryKey: orderKeys.messages(invoiceCode),
    initialPageParam: undefined as number | undefined,
    queryFn: async ({ pageParam: before, signal }) => {
      const params = {
        path: { invoice_code: invoiceCode },
        query: before === undefined ? {} : { before },
      };
      return unwrap(await api.GET("/order/customer/messages/{invoice_code}", { params, signal }));
    },
    getNextPageParam: (page) => (page.next === null ? undefined : Number(page.next)),
  });
