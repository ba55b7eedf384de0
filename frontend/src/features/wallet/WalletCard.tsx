import { useQuery } from "@tanstack/react-query";
import { Wallet } from "lucide-react";
import { type WalletEntry, wallet } from "@/api/wallet";
import { usd } from "@/domain/money";
import { orderPath } from "@/domain/order-path";
import { cx } from "@/shared/cx";
import { isoDate } from "@/shared/dates";
import { Card, CardHead } from "@/shared/ui/Card";
import { Link } from "@/shared/ui/Link";
import { EmptyState, RetryPanel } from "@/shared/ui/Panels";
import { Loading, Skeleton } from "@/shared/ui/Skeleton";
import styles from "./WalletCard.module.css";

const KINDS: Record<WalletEntry["kind"], string> = {
  cancellation: "Cancelled order",
  overpayment: "Overpayment",
  use: "Paid from credit",
  refund: "Refund",
  correction: "Correction",
  paid_out: "To your bank account",
};

/** The company's credit and the entries that make it, newest first. */
export function WalletCard() {
  const { data, error, isError, isFetching, refetch } = useQuery(wallet);
  return (
    <Card className={styles.card} aria-labelledby="wallet">
      <CardHead title="Wallet" id="wallet">
        {data && (
          <p className={styles.balance}>
            <span>Credit</span> <strong className="num">{usd(data.balance)}</strong>
          </p>
        )}
      </CardHead>
      {!data && isError && (
        <RetryPanel error={error} busy={isFetching} onRetry={() => void refetch()} />
      )}
      {!data && !isError && <RowSkeletons />}
      {data?.entries.length === 0 && (
        <EmptyState
          icon={<Wallet size={28} strokeWidth={1.5} aria-hidden />}
          text="There is no credit yet."
        />
      )}
      {data && data.entries.length > 0 && (
        <ul className={styles.entries}>
          <li className={cx(styles.entry, styles.head)} aria-hidden>
            <span>Date</span>
            <span>What</span>
            <span>Order</span>
            <span>Amount</span>
            <span>Credit after</span>
          </li>
          {data.entries.map((entry) => (
            <Entry key={`${entry.at} ${entry.kind} ${entry.invoice_code}`} entry={entry} />
          ))}
        </ul>
      )}
    </Card>
  );
}

function Entry({ entry: { at, kind, amount, after, invoice_code } }: { entry: WalletEntry }) {
  return (
    <li className={styles.entry}>
      <span className={styles.date}>{isoDate(at)}</span>
      <span>{KINDS[kind]}</span>
      <span className="num">
        {invoice_code && <Link to={orderPath(invoice_code)}>{invoice_code}</Link>}
      </span>
      <span className={styles.amount}>{amount < 0 ? `– ${usd(-amount)}` : `+ ${usd(amount)}`}</span>
      <span className={styles.after}>
        <span className={styles.label}>Credit after</span> {usd(after)}
      </span>
    </li>
  );
}

function RowSkeletons() {
  return (
    <Loading className={styles.entries}>
      {["40%", "52%", "46%"].map((width) => (
        <div key={width} className={styles.skeleton}>
          <Skeleton width={width} height={14} />
        </div>
      ))}
    </Loading>
  );
}
