import { ListFilter } from "lucide-react";
import { type KeyboardEvent, useId, useRef, useState } from "react";
import { count } from "@/domain/figures";
import { Button } from "@/shared/ui/Button";
import { DayFields, Form } from "@/shared/ui/Field";
import styles from "./OrderList.module.css";
import type { OrderQuery, OrderSums } from "./queries";
import { ALL_ORDERS, paramsOf } from "./queries";

interface OrderFiltersProps {
  filters: OrderQuery;
  onFilter: (filters: OrderQuery) => void;
  /** The states of payment with how many orders each holds, once they are known. */
  payments: OrderSums["payments"] | undefined;
}

/** Under one button: how the payment stands, from which day to which, and which end comes first. */
export function OrderFilters({ filters, onFilter, payments }: OrderFiltersProps) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  const panel = useId();
  const set = Object.keys(paramsOf({ ...filters, search: "" }));
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  return (
    <>
      <Button
        ref={button}
        variant={set.length > 0 ? "soft" : "outline"}
        icon={<ListFilter />}
        aria-expanded={open}
        aria-controls={panel}
        disabled={!payments}
        onClick={() => setOpen(!open)}
      >
        Filter{set.length > 0 && ` ${set.length}`}
      </Button>
      {open && payments && (
        <Panel
          id={panel}
          {...{ filters, payments }}
          onFilter={(query) => {
            close();
            onFilter(query);
          }}
          onClose={close}
        />
      )}
    </>
  );
}

interface PanelProps extends OrderFiltersProps {
  id: string;
  payments: OrderSums["payments"];
  onClose: () => void;
}

/** What is ticked and chosen counts with "Show"; "Clear" takes all of it back, Escape what is new. */
function Panel({ id, filters, onFilter, payments, onClose }: PanelProps) {
  const [days, setDays] = useState({ since: filters.since, until: filters.until });
  const form = useRef<HTMLFormElement>(null);
  const set = filters.payment.split(",");
  const states = payments.filter((one) => one.orders > 0 || set.includes(one.payment));
  const isWrong = days.since !== "" && days.until !== "" && days.since > days.until;
  const send = () => {
    if (isWrong || !form.current) return;
    const ticked = new FormData(form.current);
    const payment = ticked.getAll("payment").join(",");
    onFilter({ ...filters, ...days, payment, sort: ticked.has("oldest") ? "oldest" : "newest" });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
  };
  return (
    <Form ref={form} id={id} className={styles.filters} onSend={send} onKeyDown={onKeyDown}>
      <fieldset hidden={states.length === 0}>
        <legend className="text-ink-2 text-13">Payment status</legend>
        {states.map(({ payment, text, orders }) => (
          <label key={payment} className="flex items-center gap-10">
            <input
              type="checkbox"
              name="payment"
              value={payment}
              defaultChecked={set.includes(payment)}
            />
            {text} <span className="ml-auto text-ink-3 text-13 tabular-nums">{count(orders)}</span>
          </label>
        ))}
      </fieldset>
      <div className="flex flex-wrap gap-8">
        <DayFields {...days} onChange={(changes) => setDays({ ...days, ...changes })} />
      </div>
      <label className="flex items-center gap-10">
        <input type="checkbox" name="oldest" defaultChecked={filters.sort === "oldest"} />
        Oldest first
      </label>
      <div className="flex justify-between">
        <Button
          size="small"
          variant="ghost"
          onClick={() => onFilter({ ...ALL_ORDERS, search: filters.search })}
        >
          Clear
        </Button>
        <Button size="small" variant="primary" type="submit">
          Show
        </Button>
      </div>
    </Form>
  );
}
