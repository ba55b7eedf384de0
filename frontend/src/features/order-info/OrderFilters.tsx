import { ArrowDownUp, Calendar } from "lucide-react";
import { useState } from "react";
import { Button } from "@/shared/ui/Button";
import styles from "./OrderFilters.module.css";
import { ALL_ORDERS, type WantedOrders } from "./queries";

interface OrderFiltersProps {
  wanted: WantedOrders;
  onWanted: (wanted: WantedOrders) => void;
}

const PAYMENTS = [
  ["", "Payment"],
  ["due", "Waits for you"],
  ["review", "Under review"],
  ["paid", "Paid"],
] as const;

/** Below the search: whom the payment waits for, from which day to which, and which end comes first. */
export function OrderFilters({ wanted, onWanted }: OrderFiltersProps) {
  const [dated, setDated] = useState(false);
  const isSet = wanted !== ALL_ORDERS && Object.values({ ...wanted, sort: "" }).some(Boolean);
  return (
    <>
      <div className={styles.bar}>
        <select
          aria-label="Payment"
          className={styles.select}
          value={wanted.payment}
          onChange={({ target }) =>
            onWanted({ ...wanted, payment: target.value as WantedOrders["payment"] })
          }
        >
          {PAYMENTS.map(([value, label]) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <Button
          size="small"
          icon={<Calendar size={16} strokeWidth={1.8} aria-hidden />}
          aria-expanded={dated}
          onClick={() => setDated(!dated)}
        >
          Date
        </Button>
        <Button
          size="small"
          icon={<ArrowDownUp size={16} strokeWidth={1.8} aria-hidden />}
          onClick={() =>
            onWanted({ ...wanted, sort: wanted.sort === "newest" ? "oldest" : "newest" })
          }
        >
          {wanted.sort === "newest" ? "Newest" : "Oldest"}
        </Button>
      </div>
      {dated && (
        <div className={styles.bar}>
          <Day
            label="From"
            value={wanted.since}
            onDay={(since) => onWanted({ ...wanted, since })}
          />
          <Day label="To" value={wanted.until} onDay={(until) => onWanted({ ...wanted, until })} />
        </div>
      )}
      {isSet && (
        <Button
          size="small"
          variant="ghost"
          onClick={() => onWanted({ ...ALL_ORDERS, sort: wanted.sort })}
        >
          Clear
        </Button>
      )}
    </>
  );
}

function Day(props: { label: string; value: string; onDay: (day: string) => void }) {
  return (
    <label className={styles.day}>
      {props.label}
      <input type="date" value={props.value} onChange={({ target }) => props.onDay(target.value)} />
    </label>
  );
}
