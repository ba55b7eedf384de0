import type { NoticeRow } from "@/shared/ui/NoticeRows";
import styles from "./DashboardCards.module.css";
import { NoticeCard } from "./NoticeCard";
import { OrderAmountCard } from "./OrderAmountCard";
import type { PurchaseMonth } from "./OrderAmountChart";

interface DashboardCardsProps {
  months: readonly PurchaseMonth[] | undefined;
  notices: readonly NoticeRow[] | undefined;
}

/** What was ordered month by month, beside the newest notices. */
export default function DashboardCards({ months, notices }: DashboardCardsProps) {
  return (
    <div className={styles.columns}>
      <OrderAmountCard months={months} />
      <NoticeCard notices={notices} />
    </div>
  );
}
