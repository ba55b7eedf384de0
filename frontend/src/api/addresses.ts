import { queryOptions, useQuery } from "@tanstack/react-query";
import { addressKeys } from "@/shared/query-keys";
import { api, type Schemas, unwrap } from "./client";

export type AddressEntry = Schemas["AddressEntry"];
export type BookAddress = Schemas["BookAddress"];

/** GET /account/addresses: the company's address book, and what the caller's orders begin with. */
export const addressBook = queryOptions({
  queryKey: addressKeys.book,
  queryFn: async ({ signal }) => unwrap(await api.GET("/account/addresses", { signal })),
});

const NOTHING = { country: null, states: [] };

/** The states of a country; those of `loaded.country` came with the form and are not asked for. */
export function useStates(
  country: number | null,
  loaded: { country: number | null; states: readonly AddressEntry[] } = NOTHING,
): readonly AddressEntry[] {
  const isElsewhere = country !== null && country !== loaded.country;
  const { data } = useQuery({
    queryKey: ["addresses", "states", country],
    enabled: isElsewhere,
    staleTime: Number.POSITIVE_INFINITY,
    meta: { onFailure: "alert", hasNoPanel: true },
    queryFn: async ({ signal }) => {
      const body = { address_id: country ?? 0 };
      return unwrap(await api.POST("/register/find-state", { body, signal })).stateList;
    },
  });
  if (country === null) return [];
  return isElsewhere ? (data ?? []) : loaded.states;
}
