import { useQuery } from "@tanstack/react-query";
import { BadgeCheck, CreditCard, Inbox, PackageCheck, Truck } from "lucide-react";
import { lazy, Suspense } from "react";
import { api, type Schemas, unwrap } from "@/api/client";
import { useUser } from "@/api/session";
import { count } from "@/domain/figures";
import { dashboardKeys } from "@/shared/query-keys";
import { FirstRun } from "@/shared/ui/FirstRun";
import { Link } from "@/shared/ui/Link";
import { PageHeading } from "@/shared/ui/Page";
import { Card, QueryFailed, Skeleton } from "@/shared/ui/Panels";

// Beside the counters, so that those show first.
const DashboardCards = lazy(() => import("./DashboardCards"));

/** /dashboard: orders by status, what is to do, what was ordered month by month, the newest notices. */
export default function DashboardScreen() {
  const { uuid } = useUser();
  const query = useQuery({
    queryKey: dashboardKeys.all,
    queryFn: async ({ signal }) => unwrap(await api.POST("/dashboard", { body: { uuid }, signal })),
  });
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

const COUNTERS = [
  { key: "ready", label: "Received Orders", to: "/invoice/1", icon: Inbox },
  { key: "receipt", label: "Preparing Orders", to: "/invoice/2", icon: PackageCheck },
  { key: "confirm", label: "Confirmed Orders", to: "/invoice/3", icon: BadgeCheck },
  { key: "paid", label: "Completed Payment", to: "/invoice/4", icon: CreditCard },
  { key: "shipped", label: "Shipment Completed", to: "/invoice/5", icon: Truck },
] as const;

/** Five counters, each a link to its order list; skeletons until the counts are known. */
function OrderCounters({ counts }: { counts: Schemas["Dashboard"]["order"] | undefined }) {
  return (
    <ul
      className="grid grid-cols-[repeat(5,1fr)] [&>li+li]:border-l [&>li]:border-line
        phone:grid-cols-[repeat(auto-fit,minmax(64px,1fr))]"
      aria-busy={!counts}
    >
      {COUNTERS.map(({ key, label, to, icon: Icon }) => (
        <li key={key}>
          <Link
            to={to}
            className="grid grid-cols-[auto_1fr] content-between items-center gap-y-2 gap-x-9 h-full
              pt-18 pb-14 px-20 text-ink no-underline hover:bg-surface-2
              focus-visible:-outline-offset-3 focus-visible:rounded-2 tablet:px-14
              phone:grid-cols-[1fr] phone:gap-4 phone:justify-items-center phone:text-center
              phone:pt-12 phone:pb-10 phone:px-2"
          >
            <span
              // Grey where the orders need nothing more from the buyer.
              className="grid place-items-center bg-accent-soft text-accent w-28 h-28 rounded-[7px]
                [li:nth-child(n+4)_&]:bg-mute [li:nth-child(n+4)_&]:text-ink-2 phone:hidden"
            >
              <Icon size={17} />
            </span>
            <span
              className="text-ink-2 font-medium text-13.5 tablet:text-13 tablet:tracking-[-0.01em]
                phone:order-1 phone:text-12 phone:leading-[1.25] phone:tracking-[-0.02em]"
            >
              {label}
            </span>
            <span
              className="grid col-span-full items-center tabular-nums min-h-48 text-34 font-[500]
                leading-[1.2] data-zero:text-ink-3 phone:min-h-30 phone:text-24"
              data-zero={counts?.[key] === 0 || undefined}
            >
              {counts ? count(counts[key]) : <Skeleton width={36} height={30} />}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
