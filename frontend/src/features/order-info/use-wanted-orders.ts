import { useState } from "react";
import { useNavigationType, useSearchParams } from "react-router";
import { useOnChange, useSettled } from "@/shared/effects";
import { ALL_ORDERS, askedOf, type WantedOrders } from "./queries";

const TYPING_MS = 250;

/**
 * What is wanted of the orders, and the same once the typing rests. The address keeps it: a reload and the browser's Back
 * return to it, links to an order or a tab take it along.
 */
export function useWantedOrders() {
  const [query, setQuery] = useSearchParams();
  const [wanted, setWanted] = useState(() => wantedIn(query));
  const settled = useSettled(wanted, TYPING_MS);
  const wentBack = useNavigationType() === "POP";
  const [named, rested] = [textOf(wantedIn(query)), textOf(settled)];

  // What is typed and ticked is no step of its own for Back.
  const keep = () => {
    if (named !== rested) setQuery((before) => withWanted(before, settled), { replace: true });
  };
  useOnChange(rested, keep);
  useOnChange(named, () => (wentBack ? setWanted(wantedIn(query)) : keep()));

  return { wanted, settled, want: setWanted };
}

function wantedIn(query: URLSearchParams): WantedOrders {
  const named = (name: keyof WantedOrders) => query.get(name) ?? "";
  return {
    search: named("search"),
    payment: named("payment"),
    since: named("since"),
    until: named("until"),
    sort: named("sort") === "oldest" ? "oldest" : "newest",
  };
}

function withWanted(query: URLSearchParams, wanted: WantedOrders): URLSearchParams {
  const after = new URLSearchParams(query);
  for (const name of Object.keys(ALL_ORDERS)) after.delete(name);
  for (const [name, value] of Object.entries(askedOf(wanted))) after.set(name, value);
  return after;
}

const textOf = (wanted: WantedOrders): string => JSON.stringify(askedOf(wanted));
