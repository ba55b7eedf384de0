import { ArrowDownUp, Calendar, ListFilter } from "lucide-react";
import { useState } from "react";
import { count } from "@/domain/units";
import { Button } from "@/shared/ui/Button";
import styles from "./OrderFilters.module.css";
import { ALL_ORDERS, type OrderQuery, type OrderSums } from "./queries";

interface OrderFiltersProps {
  filters: OrderQuery;
  onFilter: (filters: OrderQuery) => void;
  /** The states of payment with how many orders each holds, once they are known. */
  payments: OrderSums["payments"] | undefined;
}

/** Below the search: how the payment stands, from which day to which, and which end comes first. */
export function OrderFilters({ filters, onFilter, payments }: OrderFiltersProps) {
  const [choosing, setChoosing] = useState(false);
  const [dated, setDated] = useState(false);
  const isSet = filters !== ALL_ORDERS && Object.values({ ...filters, sort: "" }).some(Boolean);
  return (
    <>
      <div className={styles.bar}>
        <Button
          size="small"
          variant={filters.payment ? "soft" : "outline"}
          icon={<ListFilter size={16} strokeWidth={1.8} aria-hidden />}
          aria-expanded={choosing}
          disabled={!payments}
          onClick={() => setChoosing(!choosing)}
        >
          Payment
        </Button>
        <Button
          size="small"
          icon={<Calendar size={16} strokeWidth={1.8} aria-hidden />}
          variant={filters.since || filters.until ? "soft" : "outline"}
          aria-expanded={dated}
          onClick={() => setDated(!dated)}
        >
          Date
        </Button>
        <Button
          size="small"
          icon={<ArrowDownUp size={16} strokeWidth={1.8} aria-hidden />}
          onClick={() =>
            onFilter({ ...filters, sort: filters.sort === "newest" ? "oldest" : "newest" })
          }
        >
          {filters.sort === "newest" ? "Newest" : "Oldest"}
        </Button>
      </div>
      {choosing && payments && (
        <PaymentStates
          payments={payments}
          chosen={filters.payment}
          onChosen={(payment) => {
            setChoosing(false);
            onFilter({ ...filters, payment });
          }}
        />
      )}
      {dated && (
        <div className={styles.bar}>
          <Day
            label="From"
            value={filters.since}
            onDay={(since) => onFilter({ ...filters, since })}
          />
          <Day
            label="To"
            value={filters.until}
            onDay={(until) => onFilter({ ...filters, until })}
          />
        </div>
      )}
      {isSet && !choosing && (
        <Button
          size="small"
          variant="ghost"
          onClick={() => onFilter({ ...ALL_ORDERS, sort: filters.sort })}
        >
          Clear
        </Button>
      )}
    </>
  );
}

interface PaymentStatesProps {
  payments: OrderSums["payments"];
  /** Divided by commas. */
  chosen: string;
  onChosen: (payment: string) => void;
}

/** The states of payment to tick; they are asked for by "Show", none of them by "Clear". */
function PaymentStates({ payments, chosen, onChosen }: PaymentStatesProps) {
  const [ticked, setTicked] = useState<readonly string[]>(chosen.split(",").filter(Boolean));
  const shown = payments.filter(({ payment }) => !ticked.length || ticked.includes(payment));
  const tick = (payment: string, on: boolean) =>
    setTicked(on ? [...ticked, payment] : ticked.filter((other) => other !== payment));
  return (
    <fieldset className={styles.states}>
      <legend>State of payment</legend>
      {payments.map(({ payment, text, orders }) => (
        <label key={payment}>
          <input
            type="checkbox"
            checked={ticked.includes(payment)}
            onChange={({ target }) => tick(payment, target.checked)}
          />
          {text} <span className="num">{count(orders)}</span>
        </label>
      ))}
      <div className={styles.show}>
        <Button size="small" variant="ghost" onClick={() => onChosen("")}>
          Clear
        </Button>
        <Button size="small" variant="primary" onClick={() => onChosen(ticked.join(","))}>
          Show {count(shown.reduce((sum, { orders }) => sum + orders, 0))}
        </Button>
      </div>
    </fieldset>
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
