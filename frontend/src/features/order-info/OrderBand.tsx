import { useInfiniteQuery } from "@tanstack/react-query";
import { FolderOpen, MessageSquareText, Repeat, Undo2 } from "lucide-react";
import { useState } from "react";
import { documents } from "@/api/account";
import { counted, dayText } from "@/domain/figures";
import { againLink, documentLabel } from "@/domain/orders";
import { cx } from "@/shared/cx";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { MenuButton } from "@/shared/ui/MenuButton";
import { AsOf, Card, Loading, Skeleton } from "@/shared/ui/Panels";
import { lazyPopup, Part, usePopup } from "@/shared/ui/popup";
import { Tag } from "@/shared/ui/Tag";
import { PHONE, useMedia } from "@/shared/use-media";
import { NextStep } from "./NextStep";
import styles from "./OrderBand.module.css";
import type { ShownOrder } from "./OrderDetailsCard";
import { OrderTotals } from "./OrderTotals";
import { PackingListButton } from "./packing-list/PackingListButton";
import { conversation, type Order, type OrderDetails } from "./queries";
import { toneOf } from "./rules";

interface OrderBandProps extends ShownOrder {
  /** How it stood when the page was opened, where that has changed since. */
  was: string | undefined;
}

/** Which order this is, what is to be done now and by when, what it comes to, and how it went so far. */
export function OrderBand({ details, selected, was, className }: OrderBandProps) {
  const answer = details.data;
  return (
    <Card className={className} aria-labelledby="order-code">
      <header
        className={cx(
          styles.head,
          "flex flex-wrap items-center border-b border-line gap-y-8 gap-x-12",
          "min-h-58 py-10 px-card [&_h2]:text-18 [&_h2]:outline-none",
        )}
      >
        <h2 id="order-code" className="wrap-anywhere tabular-nums" tabIndex={-1} data-order-heading>
          {selected || <span className="sr-only">Order</span>}
        </h2>
        {answer && (
          <>
            <Tag tone={toneOf(answer.order.status_id)}>{answer.order.message}</Tag>
            <PaymentTag order={answer.order} />
            <AsOf at={details.dataUpdatedAt} />
            <div className={styles.actions}>
              {/* First: it comes later than the others, which stay where they are. */}
              <Messages order={answer.order} />
              <Documents key={`documents ${selected}`} shown={answer} />
              <PackingListButton key={`packing ${selected}`} packed={answer} />
              <WithdrawButton key={`withdraw ${selected}`} order={answer.order} />
              <ButtonLink size="small" to={againLink({ of: selected })} icon={<Repeat />}>
                Order again
              </ButtonLink>
            </div>
          </>
        )}
      </header>
      <p role="status" className={was ? "border-b border-line bg-sunken px-card py-14" : "sr-only"}>
        {was && `This order has changed since you opened it: it was ${was}.`}
      </p>
      {answer ? (
        <div
          className={cx(
            styles.body,
            "grid grid-cols-[minmax(0,1fr)_300px]",
            "[&>:last-child]:border-l [&>:last-child]:border-line",
            "tablet:grid-cols-[minmax(0,1fr)_252px]",
          )}
        >
          <div className="grid gap-14 min-w-0 px-card py-14 content-start">
            <NextStep key={selected} order={answer.order} lines={answer.details} />
            <OrderTotals key={`totals ${selected}`} order={answer.order} />
          </div>
          <Timeline steps={answer.order.timeline} />
        </div>
      ) : (
        details.isPending && (
          <Loading className="px-card py-14">
            <Skeleton height={230} />
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

/** Leads to the conversation: on a phone, where it stands below all lines, and to an answer that is not read yet. */
function Messages({ order }: { order: Order }) {
  const { data } = useInfiniteQuery(conversation(order.invoice_code));
  const isPhone = useMedia(PHONE);
  const [newest] = data?.pages ?? [];
  const hasAny = order.allowed.message || Boolean(newest?.messages.length);
  if (!newest?.unread && !(isPhone && hasAny)) return null;
  const lead = () => {
    const place = document.querySelector<HTMLElement>("[data-messages]");
    // With its end in sight: there is the button that sends.
    place?.scrollIntoView({ block: "end" });
    (place?.querySelector("textarea") ?? place)?.focus({ preventScroll: true });
  };
  return (
    <Button size="small" icon={<MessageSquareText />} onClick={lead}>
      {newest?.unread ? "New message" : "Messages"}
    </Button>
  );
}

/** The order's documents as one menu, where the server gives any; their days come once it opens. */
function Documents({ shown: { order, fileList } }: { shown: OrderDetails }) {
  const [opened, setOpened] = useState(false);
  const { data } = useInfiniteQuery({ ...documents(order.invoice_code), enabled: opened });
  const days = new Map(
    data?.pages.flatMap((page) => page.documents).map(({ name, on }) => [name, on]),
  );
  const dayOf = (name: string) => {
    const on = days.get(name);
    return on && dayText(on);
  };
  const entries = fileList.map((file) => ({
    key: file.filename,
    href: file.url,
    content: (
      <span className="flex justify-between gap-16">
        {documentLabel(file.name, order.invoice_code)}
        <span className="text-ink-3 tabular-nums">{dayOf(file.name)}</span>
      </span>
    ),
  }));
  const { sheet } = order;
  if (sheet) {
    const content = <>Your sheet with our answers: {sheet.name}</>;
    entries.push({ key: sheet.url, href: sheet.url, content });
  }
  if (entries.length === 0) return null;
  return (
    <MenuButton size="small" icon={<FolderOpen />} entries={entries} onOpen={() => setOpened(true)}>
      Documents
    </MenuButton>
  );
}

const { Popup: WithdrawDialog, ahead } = lazyPopup(() => import("./WithdrawDialog"));

/** Takes an order back, while the server allows that. */
function WithdrawButton({ order }: { order: Order }) {
  const popup = usePopup();
  const { withdraw, ask_to_cancel } = order.allowed;
  if (!(withdraw || ask_to_cancel || popup.open)) return null;
  return (
    <>
      <Button
        size="small"
        icon={<Undo2 />}
        aria-haspopup="dialog"
        {...ahead}
        onClick={() => popup.show(true)}
      >
        {ask_to_cancel ? "Ask to cancel" : "Change or withdraw"}
      </Button>
      <Part>
        {popup.subject && <WithdrawDialog key={popup.number} {...popup.dialog} order={order} />}
      </Part>
    </>
  );
}

/** The steps of an order: when each was reached, and what is promised of it, in the server's words. A kept promise is no news. */
function Timeline({ steps }: { steps: Order["timeline"] }) {
  const current = steps.findLastIndex(({ at }) => at !== null);
  return (
    <section className="px-card py-14 [&_h3]:mb-12 [&_h3]:text-13" aria-labelledby="timeline">
      <h3 id="timeline">Timeline</h3>
      <ol aria-label="Order status">
        {steps.map(({ message, at, note, tone }, index) => (
          <li
            key={message}
            className={cx(
              styles.step,
              "before:absolute before:top-5 before:left-0 before:z-1 before:w-10",
              "before:h-10 before:border-2 before:border-control before:rounded-pill",
              "before:bg-surface",
              "relative grid text-ink-3 grid-cols-[minmax(0,1fr)_auto] gap-y-1 gap-x-8",
              "pb-12 pl-22",
              at !== null && styles.done,
            )}
            aria-current={index === current ? "step" : undefined}
          >
            <span className="font-medium">{message}</span>
            {at !== null && <time className="text-ink-3 text-13 tabular-nums">{dayText(at)}</time>}
            {at !== null && <span className="sr-only"> (reached)</span>}
            {note && tone !== "ok" && (
              <span
                className="col-span-full text-ink-3 text-13
                  data-[tone=warn]:text-warn data-[tone=bad]:text-bad"
                data-tone={tone}
              >
                {note}
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
