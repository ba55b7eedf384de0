import { useQueryClient } from "@tanstack/react-query";
import { lazy, useState } from "react";
import { wallet } from "@/api/account";
import { cx } from "@/shared/cx";
import { useIsOnline } from "@/shared/online";
import { Button, type ButtonProps, Spinner } from "@/shared/ui/Button";
import { OfflineReason } from "@/shared/ui/Panels";
import { Part, usePopup } from "@/shared/ui/popup";
import { type Balance, useBalance } from "./mutations";
import styles from "./OrderBand.module.css";
import type { Order } from "./queries";
import { type TotalRow, totalRows } from "./rules";

/** What the order comes to; the amount to pay is large, with 'Checkout' while the balance is due. */
export function OrderTotals({ order }: { order: Order }) {
  const rows = totalRows(order);
  const main = rows.findIndex((row) => row.main);
  const due = rows[main];
  return (
    <section className={styles.totals} aria-label="Totals">
      <Rows rows={rows.slice(0, main)} />
      <div
        className={cx(
          styles.due,
          "flex flex-wrap items-center gap-16 mt-8 pt-8 [border-top:1px_dashed_var(--line-2)]",
        )}
      >
        <dl className="flex flex-1 items-center justify-between gap-12">
          <dt className="font-bold text-15">{due?.label}</dt>
          {due?.value && (
            <dd className={order.status_id ? "font-bold tabular-nums text-20" : "text-ink-2"}>
              {due.value}
            </dd>
          )}
        </dl>
        {order.allowed.checkout && (
          <CheckoutButton order={order} variant="primary">
            Checkout
          </CheckoutButton>
        )}
      </div>
      <Rows rows={rows.slice(main + 1)} />
    </section>
  );
}

/** Two columns, read down the first and then down the second. */
function Rows({ rows }: { rows: readonly TotalRow[] }) {
  if (rows.length === 0) return null;
  return (
    <dl className="columns-2 gap-x-40 [&>div]:py-3 [&>div]:break-inside-avoid tablet:columns-1">
      {rows.map(({ label, value }) => (
        <div key={label} className="flex justify-between gap-12">
          <dt className="text-ink-2">{label}</dt>
          <dd className="font-medium text-right tabular-nums">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const load = () => import("./CheckoutDialog");
const CheckoutDialog = lazy(load);

/** Asks what is due now and opens the checkout popup. */
function CheckoutButton({ order, ...button }: ButtonProps & { order: Order }) {
  const balance = useBalance(order.invoice_code);
  const client = useQueryClient();
  const isOnline = useIsOnline();
  const [info, setInfo] = useState<Balance>();
  const popup = usePopup();

  const checkout = () => {
    if (balance.isPending) return;
    void load();
    void client.prefetchQuery(wallet);
    balance.mutate(undefined, {
      onSuccess: (due) => {
        setInfo(due);
        popup.show(true);
      },
    });
  };
  /** What is due has changed under the open popup; if nothing is, the popup closes. */
  const reload = () => balance.mutate(undefined, { onSuccess: setInfo, onError: popup.close });

  return (
    <>
      <Button
        {...button}
        disabled={!isOnline}
        onClick={checkout}
        icon={balance.isPending && <Spinner />}
        aria-busy={balance.isPending || undefined}
      />
      <OfflineReason text="Paying needs a connection." />
      <Part>
        {info && (
          <CheckoutDialog key={popup.number} {...popup.dialog} onReload={reload} info={info} />
        )}
      </Part>
    </>
  );
}
