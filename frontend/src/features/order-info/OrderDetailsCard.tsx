import type { UseQueryResult } from "@tanstack/react-query";
import { ExternalLink, FileDown, Package } from "lucide-react";
import type { ReactNode } from "react";
import { usd } from "@/domain/money";
import { count } from "@/domain/units";
import { cx } from "@/shared/cx";
import { isoDate } from "@/shared/dates";
import { pageTexts } from "@/shared/page-texts";
import { ButtonLink } from "@/shared/ui/Button";
import { Card } from "@/shared/ui/Card";
import { Facts } from "@/shared/ui/Facts";
import { EmptyState, RetryPanel } from "@/shared/ui/Panels";
import { Loading, Skeleton } from "@/shared/ui/Skeleton";
import { Tag } from "@/shared/ui/Tag";
import { MessageBox, ShippingRequestBox } from "./MemoBoxes";
import styles from "./OrderDetailsCard.module.css";
import type { Order, OrderDetails } from "./queries";
import { documentLabel, toneOf } from "./rules";
import { Section } from "./Section";
import { ShippingAddress } from "./ShippingAddress";
import { StatusLine } from "./StatusLine";

/** Draws the button that opens the packing list of an order. */
export type PackingList = (shown: OrderDetails) => ReactNode;

export interface ShownOrder {
  details: UseQueryResult<OrderDetails>;
  /** Its invoice code; empty if no order is selected. */
  selected: string;
  loading: boolean;
  className?: string | undefined;
}

/** Middle card: where the order stands, its facts, address, requests and documents. */
export function OrderDetailsCard({
  details,
  selected,
  loading,
  takesMessage,
  packingList,
  className,
}: ShownOrder & { takesMessage: boolean; packingList: PackingList | undefined }) {
  const shown = selected ? details.data : undefined;
  const unloaded = selected && !loading && (
    <RetryPanel onRetry={() => void details.refetch()} busy={details.isFetching} />
  );
  return (
    <Card className={className} aria-labelledby="order-details">
      <header className={styles.head}>
        <h2 id="order-details" className={styles.title} tabIndex={-1} data-order-heading>
          Order Details
        </h2>
        {shown && <Documents shown={shown} packingList={packingList?.(shown)} />}
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

/** Documents of the order and its packing list, where the server gives them. */
function Documents({ shown, packingList }: { shown: OrderDetails; packingList: ReactNode }) {
  const { order, fileList } = shown;
  if (!order.allowed.packing_list && fileList.length === 0) return null;
  return (
    <div className={styles.documents}>
      {fileList.map((file) => (
        <ButtonLink
          key={file.filename}
          to={file.url}
          reloadDocument
          title={file.name}
          size="small"
          icon={<FileDown size={16} strokeWidth={1.8} aria-hidden />}
        >
          {documentLabel(file.name, order.invoice_code)}
        </ButtonLink>
      ))}
      {packingList}
    </div>
  );
}

function Details({ order, takesMessage }: { order: Order; takesMessage: boolean }) {
  return (
    <>
      <Section>
        <div className={styles.code}>
          <h3 className="num">{order.invoice_code}</h3>
          <span className={styles.tags}>
            {order.payment_pending && <Tag tone="info">Payment under review</Tag>}
            <Tag tone={toneOf(order.status_id)}>{order.message}</Tag>
          </span>
        </div>
        {order.status_id > 0 && <StatusLine statusId={order.status_id} history={order.history} />}
      </Section>
      <Section>
        <Facts className={styles.facts} facts={orderFacts(order)} />
      </Section>
      <ShippingAddress order={order} />
      <ShippingRequestBox order={order} />
      {takesMessage && order.allowed.message && <MessageBox order={order} />}
    </>
  );
}

function orderFacts(order: Order) {
  const facts = [
    { label: "Order date", value: isoDate(order.build_date) },
    { label: "Products in order", value: count(order.count) },
    { label: "Subtotal", value: usd(order.total) },
    { label: "Order type", value: order.type },
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
