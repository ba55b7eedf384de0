import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { dashboardKeys } from "@/shared/query-keys";

export const dashboard = (uuid: string) =>
  queryOptions({
    queryKey: dashboardKeys.all,
    meta: { onFailure: "log" },
    queryFn: async ({ signal }) => unwrap(await api.POST("/dashboard", { body: { uuid }, signal })),
  });
