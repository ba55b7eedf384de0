import { queryOptions } from "@tanstack/react-query";
import { api, type Schemas, unwrap } from "./client";

/** GET /config as a signed-in buyer gets it: with the seller's accounts, which may change while a tab is open. */
export const buyerConfig = queryOptions({
  queryKey: ["config"],
  staleTime: 60_000,
  meta: { onFailure: "alert" },
  queryFn: async ({ signal }) => unwrap(await api.GET("/config", { signal })),
});

export type Policy = Schemas["PolicyText"];

export const POLICY_TITLE = "Privacy policy and terms of use";

/** GET /policy: the version that holds today. */
export const policy = queryOptions({
  queryKey: ["policy"],
  staleTime: Number.POSITIVE_INFINITY,
  queryFn: async ({ signal }) => unwrap(await api.GET("/policy", { signal })),
});

/** File links live for an hour: what is older than this is fetched again on focus. */
const LINKS_HOLD_MS = 45 * 60 * 1000;

/** A notice in full. The dashboard and the list have an address of their own for the same answer. */
export const noticeDetail = (id: number, from: "dashboard" | "list") =>
  queryOptions({
    queryKey: ["notices", "detail", id],
    staleTime: LINKS_HOLD_MS,
    refetchOnWindowFocus: true,
    queryFn: async ({ signal }) => {
      const list = from === "dashboard" ? "dashboard/notice" : "notice/detail";
      const params = { path: { notice_id: id } };
      return unwrap(await api.POST(`/${list}/{notice_id}`, { params, signal })).notice;
    },
  });
