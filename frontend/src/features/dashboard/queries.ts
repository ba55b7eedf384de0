import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { dashboardKeys } from "@/shared/query-keys";

export const dashboard = (uuid: string) =>
  queryOptions({
    queryKey: dashboardKeys.all,
    queryFn: async ({ signal }) => unwrap(await api.POST("/dashboard", { body: { uuid }, signal })),
  });

/** What the orders wait for and what was not ordered for long: asked for once the counters are there. */
export const whatIsDue = (uuid: string) =>
  queryOptions({
    queryKey: [...dashboardKeys.all, "due"],
    queryFn: async ({ signal }) => {
      const params = { path: { uuid } };
      return unwrap(await api.GET("/dashboard/due/{uuid}", { params, signal }));
    },
  });
