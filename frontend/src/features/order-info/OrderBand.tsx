import { useInfiniteQuery } from "@tanstack/react-query";
import { FolderOpen, MessageSquareText, Repeat } from "lucide-react";
import type { ReactNode } from "react";
import { documentLabel } from "@/domain/document-label";
import { counted } from "@/domain/units";
import { againLink } from "@/shared/order-again";
import { AsOf } from "@/shared/ui/AsOf";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { Card } from "@/shared/ui/Card";
import { MenuButton } from "@/shared/ui/MenuButton";
import { Loading, Skeleton } from "@/shared/ui/Skeleton";
import { Tag } from "@/shared/ui/Tag";
import { NextStep } from "./NextStep";
import styles from "./OrderBand.module.css";
import type { ShownOrder } from "./OrderDetailsCard";
import { PoNumber } from "./PoNumber";
import { conversation, type Order, type OrderDetails } from "./queries";
import { toneOf } from "./rules";
import { Timeline } from "./Timeline";

/** Draws the button that opens the packing list of an order. */
export type PackingList = (shown: OrderDetails) => ReactNode;

interface OrderBandProps extends ShownOrder {
  packingList: PackingList | undefined;
}

/** Above the other cards: which order this is, what is to be done now and by when, and how it went so far. */
export function OrderBand({
  details,
  selected,
  loading,
  was,
  packingList,
  className,
}: OrderBandProps) {
  const shown = selected ? details.data : undefined;
  if (!selected && !loading) return null;
  return (
    <Card className={className} aria-labelledby="order-code">
      <header className={styles.head}>
        <h2 id="order-code" className="num" tabIndex={-1} data-order-heading>
          {selected || <span className="visually-hidden">Order</span>}
        </h2>
        {shown && (
          <>
            <Tag tone={toneOf(shown.order.status_id)}>{shown.order.message}</Tag>
            <PaymentTag order={shown.order} />
            <PoNumber key={selected} order={shown.order} />
            <AsOf at={details.dataUpdatedAt} />
            <div className={styles.actions}>
              <Documents shown={shown} />
              {packingList?.(shown)}
              <Messages order={shown.order} />
              <ButtonLink
                size="small"
                to={againLink({ of: selected })}
                icon={<Repeat size={16} strokeWidth={1.8} aria-hidden />}
              >
                Order again
              </ButtonLink>
            </div>
          </>
        )}
      </header>
      <p role="status" className={was ? styles.changed : "visually-hidden"}>
        {was && `This order has changed since you opened it: it was ${was}.`}
      </p>
      {shown ? (
        <div className={styles.body}>
          <NextStep key={selected} order={shown.order} lines={shown.details} />
          <Timeline steps={shown.order.timeline} />
        </div>
      ) : (
        loading && (
          <Loading className={styles.skeleton}>
            <Skeleton height={170} />
          </Loading>
        )
      )}
    </Card>
  );
}

/** That answers are needed; else the specification's tag while a payment is under review; else how the payment stands. */
function PaymentTag({ order }: { order: Order }) {
  if (order.answers_needed > 0) {
    return <Tag tone="warn">{counted(order.answers_needed, "answer")} needed</Tag>;
  }
  if (order.payment_pending) return <Tag tone="info">Payment under review</Tag>;
  return order.payment ? <Tag tone={order.payment_tone}>{order.payment}</Tag> : null;
}

/** Leads to the conversation, which stands below all lines on a phone, with how many messages it has. */
function Messages({ order }: { order: Order }) {
  const { data, hasNextPage } = useInfiniteQuery(conversation(order.invoice_code));
  const loaded = data?.pages.reduce((all, page) => all + page.messages.length, 0) ?? 0;
  if (!order.allowed.message && loaded === 0) return null;
  const lead = () => {
    const place = document.querySelector<HTMLElement>("[data-messages]");
    // With its end in sight: there is the button that sends.
    place?.scrollIntoView({ block: "end" });
    (place?.querySelector("textarea") ?? place)?.focus({ preventScroll: true });
  };
  return (
    <Button
      size="small"
      icon={<MessageSquareText size={16} strokeWidth={1.8} aria-hidden />}
      onClick={lead}
    >
      Messages{loaded > 0 && ` ${loaded}${hasNextPage ? "+" : ""}`}
    </Button>
  );
}

/** The order's documents as one menu, where the server gives any. */
function Documents({ shown: { order, fileList } }: { shown: OrderDetails }) {
  const entries = fileList.map((file) => ({
    key: file.filename,
    content: documentLabel(file.name, order.invoice_code),
    onSelect: () => window.location.assign(file.url),
  }));
  const { sheet } = order;
  if (sheet) {
    const onSelect = () => window.location.assign(sheet.url);
    entries.push({ key: sheet.url, content: `Your sheet, answered: ${sheet.name}`, onSelect });
  }
  if (entries.length === 0) return null;
  return (
    <MenuButton
      size="small"
      icon={<FolderOpen size={16} strokeWidth={1.8} aria-hidden />}
      entries={entries}
    >
      Documents {entries.length}
    </MenuButton>
  );
}
