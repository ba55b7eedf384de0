import { useQueryClient } from "@tanstack/react-query";
import { type CSSProperties, lazy, Suspense, useState } from "react";
import { wallet } from "@/api/wallet";
import { pageTexts } from "@/shared/page-texts";
import { Button } from "@/shared/ui/Button";
import { Spinner } from "@/shared/ui/Spinner";
import { type Balance, useBalance } from "./mutations";
import styles from "./OrderTotals.module.css";
import type { Order } from "./queries";
import { awaitsPayment, type TotalRow, totalRows } from "./rules";

/** What the order comes to; the amount to pay is large, with 'Checkout' while the balance is due. */
export function OrderTotals({ order }: { order: Order }) {
  const rows = totalRows(order);
  const main = rows.findIndex((row) => row.main);
  const [due] = rows.slice(main);
  return (
    <div className={styles.totals}>
      <Rows rows={rows.slice(0, main)} />
      <div className={styles.main}>
        {due && (
          <dl>
            <dt>{due.label}</dt>
            <dd className="num">{due.value}</dd>
          </dl>
        )}
        {order.allowed.checkout && <Checkout order={order} />}
      </div>
      {awaitsPayment(order) && <p className={styles.awaited}>{pageTexts.paymentAwaited}</p>}
      <Rows rows={rows.slice(main + 1)} />
    </div>
  );
}

/** Two columns, read down the first and then down the second. */
function Rows({ rows }: { rows: readonly TotalRow[] }) {
  if (rows.length === 0) return null;
  const style = { "--rows": Math.ceil(rows.length / 2) } as CSSProperties;
  return (
    <dl className={styles.rows} style={style}>
      {rows.map(({ label, value }) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd className="num">{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const load = () => import("./CheckoutDialog");
const CheckoutDialog = lazy(load);

function Checkout({ order }: { order: Order }) {
  const balance = useBalance(order.invoice_code);
  const client = useQueryClient();
  const [info, setInfo] = useState<Balance>();
  const [open, setOpen] = useState(false);
  const [opened, setOpened] = useState(0);

  const checkout = () => {
    if (balance.isPending) return;
    void load();
    void client.prefetchQuery(wallet);
    balance.mutate(undefined, {
      onSuccess: (due) => {
        setInfo(due);
        setOpened(opened + 1);
        setOpen(true);
      },
    });
  };
  /** What is due has changed under the open popup; if nothing is, the popup closes. */
  const reload = () =>
    balance.mutate(undefined, { onSuccess: setInfo, onError: () => setOpen(false) });

  return (
    <>
      <Button
        variant="primary"
        onClick={checkout}
        icon={balance.isPending && <Spinner />}
        aria-busy={balance.isPending || undefined}
      >
        Checkout
      </Button>
      {info && (
        <Suspense fallback={null}>
          <CheckoutDialog
            key={opened}
            open={open}
            onClose={() => setOpen(false)}
            onReload={reload}
            info={info}
          />
        </Suspense>
      )}
    </>
  );
}
