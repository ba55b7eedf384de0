import {
  infiniteQueryOptions,
  keepPreviousData,
  queryOptions,
  useMutation,
} from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "@/api/client";
import { useSession } from "@/api/session";
import type { ShipFields } from "@/domain/shipping";
import { accountKeys, addressKeys } from "@/shared/query-keys";
import { token } from "@/shared/token";

export type AccountSums = Schemas["Account"];
export type OwedRow = Schemas["OwedRow"];
export type AccountStatement = Schemas["AccountStatement"];
export type FileFormat = "pdf" | "xlsx" | "csv";

/** Days of the seller, `YYYY-MM-DD`; empty where the server chooses: this month. */
export interface Days {
  readonly since: string;
  readonly until: string;
}

export function daysGiven({ since, until }: Days): Partial<Days> {
  return { ...(since && { since }), ...(until && { until }) };
}

/** GET /account: what is owed and when; the sums are over all orders, the orders come by pages. */
export const account = infiniteQueryOptions({
  queryKey: ["account", "owed"],
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
    queryKey: ["account", "statement", days.since, days.until],
    placeholderData: keepPreviousData,
    queryFn: async ({ signal }) => {
      const params = { query: daysGiven(days) };
      // Not as a file, which this call answers where it is asked for one.
      return unwrap(await api.GET("/account/statement", { params, signal })) as AccountStatement;
    },
  });

/** GET /account/colleagues: who orders for the company, and who waits for the approval. */
export const colleagues = queryOptions({
  queryKey: accountKeys.colleagues,
  queryFn: async ({ signal }) =>
    unwrap(await api.GET("/account/colleagues", { signal })).colleagues,
});

export function useAskForColleague() {
  return useMutation({
    meta: { onFailure: "alert", except: ["invalid"], refreshes: [accountKeys.colleagues] },
    mutationFn: async (body: { manager: string; email: string }) =>
      unwrap(await api.POST("/account/colleagues", { body })),
  });
}

export type OwnCode = Schemas["OwnCodeRow"];

/** GET /account/own-codes: by pages, by their letters. */
export const ownCodes = (search: string) =>
  infiniteQueryOptions({
    queryKey: [...accountKeys.codes, search] as const,
    initialPageParam: "",
    placeholderData: keepPreviousData,
    queryFn: async ({ pageParam: after, signal }) => {
      const query = { ...(search && { search }), ...(after && { after }) };
      return unwrap(await api.GET("/account/own-codes", { params: { query }, signal }));
    },
    getNextPageParam: (page) => page.next,
  });

export function useForgetCode() {
  return useMutation({
    meta: { onFailure: "alert", refreshes: [accountKeys.codes] },
    mutationFn: async (own_code_id: number) => {
      const params = { path: { own_code_id: String(own_code_id) } };
      return unwrap(await api.DELETE("/account/own-codes/{own_code_id}", { params }));
    },
  });
}

export type Wish = Schemas["WishRow"];

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

export function useDropWish() {
  return useMutation({
    meta: { onFailure: "alert", refreshes: [accountKeys.wishes] },
    mutationFn: async (wish_id: number) => {
      const params = { path: { wish_id: String(wish_id) } };
      return unwrap(await api.DELETE("/account/wishes/{wish_id}", { params }));
    },
  });
}

/** A change of the address book; then it is asked anew what the buyer's orders begin with. */
function useChange<Change>(
  change: (what: Change) => Promise<unknown>,
  except: readonly string[] = [],
) {
  const { signIn } = useSession();
  const refresh = async () => {
    const answer = unwrap(await api.POST("/check", { body: { token: token.get() ?? "" } }));
    if (answer.token && answer.user) signIn(answer.token, answer.user);
  };
  return useMutation({
    meta: { onFailure: "alert", except, refreshes: [addressKeys.book, accountKeys.counts] },
    mutationFn: change,
    onSuccess: () => void refresh(),
  });
}

const paramsOf = (address_id: number) => ({ path: { address_id: String(address_id) } });

/** POST or PUT /account/addresses; a new one has no id. */
export function useSaveAddress() {
  return useChange(
    async ({
      address_id,
      ...body
    }: ShipFields & { address_id: number | undefined; name: string }) => {
      if (address_id === undefined) return unwrap(await api.POST("/account/addresses", { body }));
      const params = paramsOf(address_id);
      return unwrap(await api.PUT("/account/addresses/{address_id}", { params, body }));
    },
    ["invalid"],
  );
}

export const useDeleteAddress = () =>
  useChange(async (id: number) =>
    unwrap(await api.DELETE("/account/addresses/{address_id}", { params: paramsOf(id) })),
  );

export const useMakeDefault = () =>
  useChange(async (id: number) =>
    unwrap(await api.PUT("/account/addresses/{address_id}/default", { params: paramsOf(id) })),
  );
