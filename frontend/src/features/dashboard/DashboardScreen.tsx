import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useUser } from "@/api/session";
import { Card } from "@/shared/ui/Card";
import { FirstRun } from "@/shared/ui/FirstRun";
import { PageHeading } from "@/shared/ui/PageHeading";
import { QueryFailed } from "@/shared/ui/Panels";
import { OrderCounters } from "./OrderCounters";
import { dashboard } from "./queries";

// Beside the counters, so that those show first.
const DashboardCards = lazy(() => import("./DashboardCards"));

/** /dashboard: orders by status, what is to do, what was ordered month by month, the newest notices. */
export function DashboardScreen() {
  const { uuid } = useUser();
  const query = useQuery(dashboard(uuid));
  const { data, isLoadingError: failed } = query;
  const ordered = data && [
    ...Object.values(data.order),
    ...data.purchase.map(({ total }) => total),
  ];
  const isFirstRun = ordered?.every((figure) => figure === 0) ?? false;
  return (
    <div className="grid gap-cards">
      <PageHeading title="Dash board" />
      {isFirstRun ? (
        <FirstRun />
      ) : (
        <Card aria-label="Order status">
          {failed ? <QueryFailed query={query} /> : <OrderCounters counts={data?.order} />}
        </Card>
      )}
      <Suspense>{!failed && <DashboardCards {...{ isFirstRun }} dashboard={data} />}</Suspense>
    </div>
  );
}
