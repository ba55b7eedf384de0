import type { UseQueryResult } from "@tanstack/react-query";
import { ExternalLink } from "lucide-react";
import { count, usd } from "@/domain/figures";
import { cx } from "@/shared/cx";
import { dayText } from "@/shared/dates";
import { Card, CardHead } from "@/shared/ui/Card";
import { Facts } from "@/shared/ui/Facts";
import { Loading, QueryFailed, Skeleton } from "@/shared/ui/Panels";
import { PHONE, useMedia } from "@/shared/use-media";
import { MessageBox, PastConversation, ShippingRequestBox } from "./MemoBoxes";
import { PoNumber } from "./PoNumber";
import type { Order, OrderDetails } from "./queries";
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
  return (
    <Card className={className} aria-labelledby="order-details">
      <CardHead title="Order Details" id="order-details" />
      <div
        // Hidden texts inside must not lengthen the page.
        className={cx(
          "relative flex-1 min-h-0 overscroll-contain divided overflow-y-auto",
          "tablet:overflow-visible",
        )}
      >
        {shown ? (
          <Details key={selected} order={shown.order} takesMessage={takesMessage} />
        ) : loading ? (
          <Loading className="px-card py-14">
            <Skeleton height={300} />
          </Loading>
        ) : (
          <QueryFailed query={details} />
        )}
      </div>
    </Card>
  );
}

function Details({ order, takesMessage }: { order: Order; takesMessage: boolean }) {
  const isPhone = useMedia(PHONE);
  const { po_number, po_file, allowed, tracking_number, carrier, shipping_url } = order;
  const facts = [
    { label: "Order date", value: dayText(order.build_date) },
    { label: "Products in order", value: count(order.count) },
    { label: "Subtotal", value: usd(order.total) },
    { label: "Order type", value: order.type },
    ...(order.former_number ? [{ label: "Former number", value: order.former_number }] : []),
    ...(po_number || allowed.edit_po_number
      ? [{ label: "PO number", value: <PoNumber order={order} /> }]
      : []),
    ...(po_file ? [{ label: "PO file", value: <a href={po_file.url}>{po_file.name}</a> }] : []),
    { label: "Memo", value: order.memo || "–" },
  ];
  if (allowed.tracking) {
    const value = (
      <span
        className="flex flex-wrap gap-y-2 gap-x-12
          [&_a]:inline-flex [&_a]:gap-6 [&_a]:items-center [&_a]:font-medium"
      >
        {[carrier, tracking_number].filter(Boolean).join(" ")}
        {shipping_url && !isPhone && (
          <a href={shipping_url} target="_blank" rel="noopener">
            Track
            <ExternalLink size={15} />
            <span className="sr-only"> (opens in a new window)</span>
          </a>
        )}
      </span>
    );
    facts.push({ label: "Tracking number", value });
  }
  return (
    <>
      <section className="px-card py-14">
        <Facts className="gap-6! [&>div]:grid-cols-[136px_minmax(0,1fr)]!" facts={facts} />
      </section>
      <ShippingAddress order={order} />
      <ShippingRequestBox order={order} />
      <div data-messages tabIndex={-1}>
        {takesMessage ? <MessageBox order={order} /> : <PastConversation order={order} />}
      </div>
    </>
  );
}
