import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import type { components } from "@/api/schema.gen";
import { useUser } from "@/api/session";
import { NoticeCard } from "./NoticeCard";
import { OrderAmountCard } from "./OrderAmountCard";
import { whatIsDue } from "./queries";
import { ReorderCard } from "./ReorderCard";
import { ToDoCard } from "./ToDoCard";

const Popups = lazy(() => import("./Popups"));

interface DashboardCardsProps {
  dashboard: components["schemas"]["Dashboard"] | undefined;
  /** The company has ordered nothing yet: the notices stand alone. */
  isFirstRun: boolean;
}

/** What is to do beside the newest notices; what was ordered month by month beside what is due for reorder. */
export default function DashboardCards({ dashboard, isFirstRun }: DashboardCardsProps) {
  const { uuid } = useUser();
  const due = useQuery({
    ...whatIsDue(uuid),
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
