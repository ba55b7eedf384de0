import type { UseQueryResult } from "@tanstack/react-query";
import { ExternalLink, Package } from "lucide-react";
import { usd } from "@/domain/money";
import { count } from "@/domain/units";
import { cx } from "@/shared/cx";
import { isoDate } from "@/shared/dates";
import { pageTexts } from "@/shared/page-texts";
import { Card } from "@/shared/ui/Card";
import { Facts } from "@/shared/ui/Facts";
import { EmptyState, RetryPanel } from "@/shared/ui/Panels";
import { Loading, Skeleton } from "@/shared/ui/Skeleton";
import { MessageBox, PastConversation, ShippingRequestBox } from "./MemoBoxes";
import styles from "./OrderDetailsCard.module.css";
import type { Order, OrderDetails } from "./queries";
import { Section } from "./Section";
import { ShippingAddress } from "./ShippingAddress";

export interface ShownOrder {
  details: UseQueryResult<OrderDetails>;
  /** Its invoice code; empty if no order is selected. */
  selected: string;
  loading: boolean;
  /** How it stood when the page was opened, where that has changed since. */
  was?: string | undefined;
  className?: string | undefined;
}

/** Middle card: the order's facts, address, requests and messages. */
export function OrderDetailsCard({
  details,
  selected,
  loading,
  takesMessage,
  className,
}: ShownOrder & { takesMessage: boolean }) {
  const shown = selected ? details.data : undefined;
  const unloaded = selected && !loading && (
    <RetryPanel
      error={details.error}
      onRetry={() => void details.refetch()}
      busy={details.isFetching}
    />
  );
  return (
    <Card className={className} aria-labelledby="order-details">
      <header className={styles.head}>
        <h2 id="order-details" className={styles.title}>
          Order Details
        </h2>
      </header>
      <div className={styles.body}>
        {shown ? (
          <Details key={selected} order={shown.order} takesMessage={takesMessage} />
        ) : (
          (loading && <DetailsSkeleton />) || unloaded || <NoneSelected />
        )}
      </div>
    </Card>
  );
}

function NoneSelected() {
  return (
    <EmptyState
      icon={<Package size={28} strokeWidth={1.8} aria-hidden />}
      text={pageTexts.selectOrder}
    />
  );
}

function Details({ order, takesMessage }: { order: Order; takesMessage: boolean }) {
  return (
    <>
      <Section>
        <Facts className={styles.facts} facts={orderFacts(order)} />
      </Section>
      <ShippingAddress order={order} />
      <ShippingRequestBox order={order} />
      <div data-messages tabIndex={-1}>
        {takesMessage ? <MessageBox order={order} /> : <PastConversation order={order} />}
      </div>
    </>
  );
}

function orderFacts(order: Order) {
  const facts = [
    { label: "Order date", value: isoDate(order.build_date) },
    { label: "Products in order", value: count(order.count) },
    { label: "Subtotal", value: usd(order.total) },
    { label: "Order type", value: order.type },
    ...(order.po_number ? [{ label: "PO number", value: order.po_number }] : []),
    ...(order.po_file
      ? [{ label: "PO file", value: <a href={order.po_file.url}>{order.po_file.name}</a> }]
      : []),
    { label: "Memo", value: order.memo || "–" },
  ];
  if (!order.allowed.tracking) return facts;
  return [...facts, { label: "Tracking number", value: <Tracking order={order} /> }];
}

function Tracking({ order }: { order: Order }) {
  return (
    <span className={styles.tracking}>
      {order.tracking_number}
      {order.shipping_url && (
        <a href={order.shipping_url} target="_blank" rel="noopener">
          Track
          <ExternalLink size={15} strokeWidth={1.8} aria-hidden />
          <span className="visually-hidden"> (opens in a new window)</span>
        </a>
      )}
    </span>
  );
}

const LINES = [43, 62, 80, 55, 73, 48, 67, 85, 60, 78, 53];

function DetailsSkeleton() {
  return (
    <Loading className={cx(styles.section, styles.skeleton)}>
      {LINES.map((width) => (
        <Skeleton key={width} width={`${width}%`} height={14} />
      ))}
    </Loading>
  );
}
