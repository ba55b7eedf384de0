import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { useUser } from "@/api/session";
import type { NoticeRow } from "@/shared/ui/NoticeRows";
import styles from "./DashboardCards.module.css";
import { NoticeCard } from "./NoticeCard";
import { NotOrderedCard } from "./NotOrderedCard";
import { OrderAmountCard } from "./OrderAmountCard";
import type { PurchaseMonth } from "./OrderAmountChart";
import { whatIsDue } from "./queries";
import { WhatIsDueCard } from "./WhatIsDueCard";

const Popups = lazy(() => import("./Popups"));

interface DashboardCardsProps {
  months: readonly PurchaseMonth[] | undefined;
  notices: readonly NoticeRow[] | undefined;
  /** The notices that open by themselves. */
  popup?: number[] | undefined;
}

/** What is due beside the newest notices; what was ordered month by month beside what was not for long. */
export default function DashboardCards({ months, notices, popup }: DashboardCardsProps) {
  const { uuid } = useUser();
  const due = useQuery({ ...whatIsDue(uuid), enabled: months !== undefined });
  return (
    <div className={styles.columns}>
      <WhatIsDueCard due={due} />
      <NoticeCard notices={notices} />
      <OrderAmountCard months={months} />
      <NotOrderedCard due={due} />
      <Suspense>{popup?.[0] && <Popups ids={popup} />}</Suspense>
    </div>
  );
}
