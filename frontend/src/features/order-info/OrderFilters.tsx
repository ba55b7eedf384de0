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
  const [draft, setDraft] = useState(filters);
  const ticked = draft.payment.split(",").filter(Boolean);
  const states = payments.filter((one) => one.orders > 0 || ticked.includes(one.payment));
  const isWrong = draft.since !== "" && draft.until !== "" && draft.since > draft.until;
  const change = (changes: Partial<OrderQuery>) => setDraft({ ...draft, ...changes });
  const send = () => {
    if (!isWrong) onFilter({ ...draft, search: filters.search });
  };
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "Escape") onClose();
  };
  return (
    <Form id={id} className={styles.filters} onSend={send} onKeyDown={onKeyDown}>
      <fieldset hidden={states.length === 0}>
        <legend className="text-ink-2 text-13">Payment status</legend>
        {states.map(({ payment, text, orders }) => (
          <label key={payment} className="flex items-center gap-10">
            <input
              type="checkbox"
              checked={ticked.includes(payment)}
              onChange={({ target }) => {
                const others = ticked.filter((other) => other !== payment);
                change({ payment: (target.checked ? [...others, payment] : others).join(",") });
              }}
            />
            {text} <span className="ml-auto text-ink-3 text-13 tabular-nums">{count(orders)}</span>
          </label>
        ))}
      </fieldset>
      <div className="flex flex-wrap gap-8">
        <DayFields since={draft.since} until={draft.until} onChange={change} />
      </div>
      <label className="flex items-center gap-10">
        <input
          type="checkbox"
          checked={draft.sort === "oldest"}
          onChange={({ target }) => change({ sort: target.checked ? "oldest" : "newest" })}
        />
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
