import { queryOptions } from "@tanstack/react-query";
import { noticeKeys } from "@/shared/query-keys";
import { api, unwrap } from "./client";

/** File links live for an hour: what is older than this is fetched again on focus. */
const LINKS_HOLD_MS = 45 * 60 * 1000;

/** A notice in full. The dashboard and the list have an address of their own for the same answer. */
export const noticeDetail = (id: number, from: "dashboard" | "list") =>
  queryOptions({
    queryKey: noticeKeys.detail(id),
    staleTime: LINKS_HOLD_MS,
    refetchOnWindowFocus: true,
    queryFn: async ({ signal }) => {
      const request = { params: { path: { notice_id: id } }, signal };
      const answer =
        from === "dashboard"
          ? await api.POST("/dashboard/notice/{notice_id}", request)
          : await api.POST("/notice/detail/{notice_id}", request);
      return unwrap(answer).notice;
    },
  });
