import { lazy, Suspense, useEffect, useState } from "react";
import { cents, money, sum, usd } from "@/domain/figures";
import { Card, CardHead } from "@/shared/ui/Card";
import { Skeleton } from "@/shared/ui/Panels";
import type { PurchaseMonth } from "./OrderAmountChart";

// Its library is as large as all the rest of the page: it is fetched when nothing else is waiting.
const OrderAmountChart = lazy(() => import("./OrderAmountChart"));
const TITLE = "Order amount in the last 3 months";

/** What the company ordered month by month, as columns and, for screen readers, as a table. */
export function OrderAmountCard({ months }: { months: readonly PurchaseMonth[] | undefined }) {
  const idle = useIdle();
  const skeleton = <Skeleton height="100%" radius={10} />;
  return (
    <Card aria-labelledby="order-amount" aria-busy={!months}>
      <CardHead title={TITLE} id="order-amount">
        <span className="flex items-baseline text-ink-2 text-13">
          Total
          {months ? (
            <strong className="text-ink text-16 tabular-nums ml-4">
              {money(sum(months.map(({ total }) => cents(total))))}
            </strong>
          ) : (
            <Skeleton width={90} height={18} />
          )}
        </span>
      </CardHead>
      {months && <AmountTable months={months} />}
      <div className="flex-1 h-270 min-h-270 pt-20 pb-12 pr-18 pl-8" aria-hidden>
        {months && idle ? (
          <Suspense fallback={skeleton}>
            <OrderAmountChart months={months} />
          </Suspense>
        ) : (
          skeleton
        )}
      </div>
    </Card>
  );
}

function AmountTable({ months }: { months: readonly PurchaseMonth[] }) {
  return (
    <table className="sr-only">
      <caption>{TITLE}</caption>
      <thead>
        <tr>
          <th scope="col">Month</th>
          <th scope="col">Order Amount ($)</th>
        </tr>
      </thead>
      <tbody>
        {months.map(({ build_date, total }) => (
          <tr key={build_date}>
            <th scope="row">{build_date}</th>
            <td>{usd(total)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** False until the browser has had nothing to do for a moment; at once where it cannot say. */
function useIdle(): boolean {
  const [idle, setIdle] = useState(false);
  useEffect(() => {
    if (!("requestIdleCallback" in window)) return setIdle(true);
    const request = window.requestIdleCallback(() => setIdle(true), { timeout: 2000 });
    return () => window.cancelIdleCallback(request);
  }, []);
  return idle;
}
