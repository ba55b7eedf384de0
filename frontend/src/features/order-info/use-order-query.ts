import { useState } from "react";
import { useNavigationType, useSearchParams } from "react-router";
import { useOnChange, useSettled } from "@/shared/effects";
import { ALL_ORDERS, type OrderQuery, paramsOf } from "./queries";

const TYPING_MS = 250;

/**
 * The filters of the list of orders, and the same once the typing rests. The address keeps it: a reload and the browser's Back
 * return to it, links to an order or a tab take it along.
 */
export function useOrderQuery() {
  const [params, setParams] = useSearchParams();
  const [filters, setFilters] = useState(() => queryIn(params));
  const settled = useSettled(filters, TYPING_MS);
  const wentBack = useNavigationType() === "POP";
  const [named, rested] = [textOf(queryIn(params)), textOf(settled)];

  // What is typed and ticked is no step of its own for Back.
  const keep = () => {
    if (named !== rested) setParams((before) => withQuery(before, settled), { replace: true });
  };
  useOnChange(rested, keep);
  useOnChange(named, () => (wentBack ? setFilters(queryIn(params)) : keep()));

  return { filters, settled, setFilters };
}

function queryIn(params: URLSearchParams): OrderQuery {
  const named = (name: keyof OrderQuery) => params.get(name) ?? "";
  return {
    search: named("search"),
    payment: named("payment"),
    since: named("since"),
    until: named("until"),
    sort: named("sort") === "oldest" ? "oldest" : "newest",
  };
}

function withQuery(params: URLSearchParams, filters: OrderQuery): URLSearchParams {
  const after = new URLSearchParams(params);
  for (const name of Object.keys(ALL_ORDERS)) after.delete(name);
  for (const [name, value] of Object.entries(paramsOf(filters))) after.set(name, value);
  return after;
}

const textOf = (filters: OrderQuery): string => JSON.stringify(paramsOf(filters));
