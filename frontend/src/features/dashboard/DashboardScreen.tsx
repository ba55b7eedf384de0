import { useQuery } from "@tanstack/react-query";
import { Repeat } from "lucide-react";
import { lazy, Suspense } from "react";
import { useUser } from "@/api/session";
import { againLink } from "@/shared/order-again";
import { ButtonLink } from "@/shared/ui/Button";
import { Card } from "@/shared/ui/Card";
import { PageHeading } from "@/shared/ui/PageHeading";
import { RetryPanel } from "@/shared/ui/Panels";
import styles from "./DashboardScreen.module.css";
import type { PurchaseMonth } from "./OrderAmountChart";
import { OrderCounters } from "./OrderCounters";
import { dashboard } from "./queries";

// Beside the counters, so that those show first.
const DashboardCards = lazy(() => import("./DashboardCards"));

/** /dashboard: orders by status, what was ordered month by month, the newest notices. */
export function DashboardScreen() {
  const { uuid } = useUser();
  const { data, error, isError, isFetching, refetch } = useQuery(dashboard(uuid));
  const failed = isError && !data;
  return (
    <div className="grid gap">
      <PageHeading title="Dash board">
        <span className={styles.again}>{data && <OrderAgain months={data.purchase} />}</span>
      </PageHeading>
      <Card aria-label="Order status">
        {failed ? (
          <RetryPanel error={error} busy={isFetching} onRetry={() => void refetch()} />
        ) : (
          <OrderCounters counts={data?.order} />
        )}
      </Card>
      <Suspense>
        {!failed && (
          <DashboardCards months={data?.purchase} notices={data?.notice} popup={data?.popup} />
        )}
      </Suspense>
    </div>
  );
}

/** Last month's orders into the basket again, where there were any. */
function OrderAgain({ months }: { months: readonly PurchaseMonth[] }) {
  const last = months.at(-2);
  if (!last?.total) return null;
  return (
    <ButtonLink
      to={againLink({ of: last.build_date })}
      icon={<Repeat size={16} strokeWidth={1.8} aria-hidden />}
    >
      Order last month again
    </ButtonLink>
  );
}
