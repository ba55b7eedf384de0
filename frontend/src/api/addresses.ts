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

/** The states of a country, by name; none for many countries. */
export const statesOf = (countryId: number) =>
  queryOptions({
    queryKey: ["addresses", "states", countryId],
    staleTime: Number.POSITIVE_INFINITY,
    meta: { onFailure: "alert", hasNoPanel: true },
    queryFn: async ({ signal }) => {
      const body = { address_id: countryId };
      return unwrap(await api.POST("/register/find-state", { body, signal })).stateList;
    },
  });

/**
 * The states to choose from for a country. Those of the country `known.country` came with the form and
 * are not asked for; while others are on their way there are none.
 */
export function useStates(
  country: number | null,
  loaded: { country: number | null; states: readonly AddressEntry[] },
): readonly AddressEntry[] {
  const isElsewhere = country !== null && country !== loaded.country;
  const { data } = useQuery({ ...statesOf(country ?? 0), enabled: isElsewhere });
  if (country === null) return [];
  return isElsewhere ? (data ?? []) : loaded.states;
}
