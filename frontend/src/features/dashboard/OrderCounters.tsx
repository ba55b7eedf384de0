import { BadgeCheck, CreditCard, Inbox, PackageCheck, Truck } from "lucide-react";
import { count } from "@/domain/units";
import { Link } from "@/shared/ui/Link";
import { Skeleton } from "@/shared/ui/Skeleton";
import styles from "./OrderCounters.module.css";

const COUNTERS = [
  { key: "ready", label: "Received Orders", to: "/invoice/1", icon: Inbox },
  { key: "receipt", label: "Preparing Orders", to: "/invoice/2", icon: PackageCheck },
  { key: "confirm", label: "Confirmed Orders", to: "/invoice/3", icon: BadgeCheck },
  { key: "paid", label: "Completed Payment", to: "/invoice/4", icon: CreditCard },
  { key: "shipped", label: "Shipment Completed", to: "/invoice/5", icon: Truck },
] as const;

export type OrderCounts = Readonly<Record<(typeof COUNTERS)[number]["key"], number>>;

/** Five counters, each a link to its order list; skeletons until the counts are known. */
export function OrderCounters({ counts }: { counts: OrderCounts | undefined }) {
  return (
    <ul className={styles.counters} aria-busy={!counts}>
      {COUNTERS.map(({ key, label, to, icon: Icon }) => (
        <li key={key}>
          <Link to={to} className={styles.counter}>
            <span className={styles.icon}>
              <Icon size={17} strokeWidth={1.8} aria-hidden />
            </span>
            <span className={styles.label}>{label}</span>
            <span className={styles.figure} data-zero={counts?.[key] === 0 || undefined}>
              {counts ? count(counts[key]) : <Skeleton width={36} height={30} />}
            </span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
