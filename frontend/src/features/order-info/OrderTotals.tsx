import type { CSSProperties } from "react";
import { pageTexts } from "@/shared/page-texts";
import { CheckoutButton } from "./CheckoutButton";
import styles from "./OrderTotals.module.css";
import type { Order } from "./queries";
import { awaitsPayment, CANCELLED, type TotalRow, totalRows } from "./rules";

/** What the order comes to; the amount to pay is large, with 'Checkout' while the balance is due. */
export function OrderTotals({ order }: { order: Order }) {
  const rows = totalRows(order);
  const main = rows.findIndex((row) => row.main);
  const [due] = rows.slice(main);
  return (
    <div className={styles.totals}>
      <Rows rows={rows.slice(0, main)} />
      <div className={styles.main}>
        {due?.value ? (
          <dl data-cancelled={order.status_id === CANCELLED || undefined}>
            <dt>{due.label}</dt>
            <dd className="num">{due.value}</dd>
          </dl>
        ) : (
          <strong>{due?.label}</strong>
        )}
        {order.allowed.checkout && <CheckoutButton order={order}>Checkout</CheckoutButton>}
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
