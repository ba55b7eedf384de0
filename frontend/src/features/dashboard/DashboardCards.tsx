import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, useState } from "react";
import { api, type Schemas, unwrap } from "@/api/client";
import { noticeDetail } from "@/api/seller";
import { useUser } from "@/api/session";
import { cents, money, sum, usd } from "@/domain/figures";
import { dashboardKeys } from "@/shared/query-keys";
import type { DialogState } from "@/shared/ui/Dialog";
import { Link } from "@/shared/ui/Link";
import { type NoticeRow, NoticeRows } from "@/shared/ui/NoticeRows";
import { Card, CardHead, Skeleton } from "@/shared/ui/Panels";
import { Part, usePopup } from "@/shared/ui/popup";
import type { PurchaseMonth } from "./OrderAmountChart";
import { ReorderCard } from "./ReorderCard";
import { ToDoCard } from "./ToDoCard";

const Popups = lazy(() => import("./Popups"));

interface DashboardCardsProps {
  dashboard: Schemas["Dashboard"] | undefined;
  /** The company has ordered nothing yet: the notices stand alone. */
  isFirstRun: boolean;
}

/** What is to do beside the newest notices; what was ordered month by month beside what is due for reorder. */
export default function DashboardCards({ dashboard, isFirstRun }: DashboardCardsProps) {
  const { uuid } = useUser();
  const due = useQuery({
    queryKey: [...dashboardKeys.all, "due"],
    queryFn: async ({ signal }) => {
      const params = { path: { uuid } };
      return unwrap(await api.GET("/dashboard/due/{uuid}", { params, signal }));
    },
    enabled: dashboard !== undefined && !isFirstRun,
  });
  const months = dashboard?.purchase;
  const popup = dashboard?.popup;
  return (
    <div
      className="grid gap-cards grid-cols-[minmax(0,7fr)_minmax(0,5fr)]
        [&>:only-child]:col-span-full phone:grid-cols-1"
    >
      {!isFirstRun && <ToDoCard due={due} />}
      <NoticeCard notices={dashboard?.notice} />
      {!isFirstRun && <OrderAmountCard months={months} />}
      {!isFirstRun && <ReorderCard due={due} lastMonth={months?.at(-2)} />}
      <Suspense>{popup?.[0] && <Popups ids={popup} />}</Suspense>
    </div>
  );
}

const NoticeDialog = lazy(() => import("@/shared/ui/NoticeDialog"));

const SHOWN = 3;

/** The newest notices; each opens in a dialog. */
function NoticeCard({ notices }: { notices: readonly NoticeRow[] | undefined }) {
  const popup = usePopup<NoticeRow>();
  return (
    <Card aria-labelledby="notices" aria-busy={!notices}>
      <CardHead title="Notice" id="notices">
        <Link to="/notice" aria-label="more notices">
          more
        </Link>
      </CardHead>
      {!notices && (
        <div className="px-card py-14">
          <Skeleton height={160} />
        </div>
      )}
      {notices && <NoticeRows narrow notices={notices.slice(0, SHOWN)} onOpen={popup.show} />}
      <Part>{popup.subject && <OpenNotice row={popup.subject} {...popup.dialog} />}</Part>
    </Card>
  );
}

function OpenNotice({ row, ...dialog }: DialogState & { row: NoticeRow }) {
  const notice = useQuery(noticeDetail(row.notice_id, "dashboard"));
  return <NoticeDialog title={row.title} date={row.build_date} notice={notice} {...dialog} />;
}

// Its library is as large as all the rest of the page: it is fetched when nothing else is waiting.
const OrderAmountChart = lazy(() => import("./OrderAmountChart"));
const TITLE = "Order amount in the last 3 months";

/** What the company ordered month by month, as columns and, for screen readers, as a table. */
function OrderAmountCard({ months }: { months: readonly PurchaseMonth[] | undefined }) {
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
