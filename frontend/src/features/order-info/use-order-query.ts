import type { UseQueryResult } from "@tanstack/react-query";
import { useMutationState, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useLocation, useNavigationType, useSearchParams } from "react-router";
import { useOnChange, useSettled } from "@/shared/effects";
import { useIsOnline } from "@/shared/online";
import { orderKeys } from "@/shared/query-keys";
import type { OrderDetails, OrderQuery } from "./queries";
import { ALL_ORDERS, orderRow, paramsOf } from "./queries";
import { standing } from "./rules";

const TYPING_MS = 250;

/** The list's filters, kept in the address, and the same once the typing rests. */
export function useOrderQuery() {
  const [params, setParams] = useSearchParams();
  const [filters, setFilters] = useState(() => queryIn(params));
  const settled = useSettled(filters, TYPING_MS);
  const wentBack = useNavigationType() === "POP";
  const [inAddress, rested] = [textOf(queryIn(params)), textOf(settled)];

  // What is typed and ticked is no step of its own for Back.
  const keep = () => {
    if (inAddress === rested) return;
    const after = new URLSearchParams(params);
    for (const name of Object.keys(ALL_ORDERS)) after.delete(name);
    for (const [name, value] of Object.entries(paramsOf(settled))) after.set(name, value);
    setParams(after, { replace: true });
  };
  useOnChange(rested, keep);
  useOnChange(inAddress, () => (wentBack ? setFilters(queryIn(params)) : keep()));

  return { filters, settled, setFilters };
}

function queryIn(params: URLSearchParams): OrderQuery {
  const param = (name: keyof OrderQuery) => params.get(name) ?? "";
  return {
    search: param("search"),
    payment: param("payment"),
    since: param("since"),
    until: param("until"),
    sort: param("sort") === "oldest" ? "oldest" : "newest",
  };
}

const textOf = (filters: OrderQuery): string => JSON.stringify(paramsOf(filters));

/** Loads an order anew once somebody else has changed how it stands, and says what it was before. */
export function useFollowed(code: string, details: UseQueryResult<OrderDetails>) {
  const client = useQueryClient();
  const isOnline = useIsOnline();
  const row = useQuery({ ...orderRow(code), enabled: isOnline && details.isSuccess });
  const order = details.data?.order;
  const isNewer = row.dataUpdatedAt > details.dataUpdatedAt;
  const changed =
    isNewer &&
    row.data &&
    order &&
    (order.status_id !== row.data.status_id ||
      order.payment !== row.data.payment ||
      order.answers_needed > 0 !== (row.data.answers !== ""));
  useOnChange(changed ? row.dataUpdatedAt : undefined, () => {
    void client.invalidateQueries({ queryKey: orderKeys.all });
  });

  const own = useMutationState({
    filters: { mutationKey: orderKeys.standing(code), status: "success" },
    select: ({ state }) => state.submittedAt,
  }).filter((at) => at < details.dataUpdatedAt);
  const visit = `${useLocation().key} ${code} ${own.length}`;
  const [opened, setOpened] = useState({ visit: "", was: "" });
  const is = order && standing(order);
  if (is && opened.visit !== visit) setOpened({ visit, was: is });
  return is && opened.visit === visit && opened.was !== is ? opened.was : undefined;
}
