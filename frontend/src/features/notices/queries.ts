import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { noticeKeys } from "@/shared/query-keys";

export const notices = queryOptions({
  queryKey: noticeKeys.list,
  queryFn: async ({ signal }) => unwrap(await api.GET("/notice", { signal })).notice,
});
