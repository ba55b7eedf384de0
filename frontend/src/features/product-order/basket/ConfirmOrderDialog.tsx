import { ArrowRight } from "lucide-react";
import { type ReactNode, useEffect } from "react";
import { count, money, usd } from "@/domain/figures";
import { useIsOnline } from "@/shared/online";
import * as texts from "@/shared/texts";
import { Button } from "@/shared/ui/Button";
import { Dialog, type DialogState } from "@/shared/ui/Dialog";
import { Facts } from "@/shared/ui/Facts";
import { Failure, OfflineReason } from "@/shared/ui/Panels";
import { toasts } from "@/shared/ui/toasts";
import { subtotal } from "../rules";
import type { RequestedLine } from "./use-order-question";
import { useOrderRequest } from "./use-order-request";

interface ConfirmOrderDialogProps extends DialogState {
  lines: readonly RequestedLine[];
  /** Names every line, not only those with a new price. */
  hasLines?: boolean;
}

/** The last question before lines become a temporary order; it comes again where a price has changed since. */
export default function ConfirmOrderDialog(props: ConfirmOrderDialogProps) {
  const { lines: current, open, onClose, hasLines } = props;
  const { lines, busy, unanswered, send } = useOrderRequest(current, onClose);
  const isOnline = useIsOnline();
  // What it would take back is being ordered, and on a phone it lies over the figures.
  useEffect(toasts.dismiss, []);
  const changed = lines.filter(({ before }) => before !== undefined);
  const listed = hasLines ? lines : changed;
  const cancel = () => {
    if (!busy) onClose();
  };
  return (
    <Dialog
      open={open}
      onClose={cancel}
      title={texts.requestOrder}
      footer={
        <>
          <Button disabled={busy} onClick={cancel}>
            Cancel
          </Button>
          <Button variant="primary" busy={busy} disabled={!isOnline} onClick={send}>
            Confirm
          </Button>
        </>
      }
    >
      <p role="status" className={changed.length > 0 ? "mb-10" : "sr-only"}>
        {changed.length > 0 && texts.pricesChanged}
      </p>
      {listed.length > 0 && (
        <ul
          className="mb-12
            [&_li]:flex [&_li]:flex-wrap [&_li]:justify-between [&_li]:gap-y-2 [&_li]:gap-x-16
            [&_li]:py-6 [&_li]:px-0 [&_li]:border-b [&_li]:border-line"
        >
          {listed.map(({ product, count: pieces, before }) => (
            <li key={product.sku}>
              <span>{product.eng_name}</span>
              <span className="tabular-nums">
                {count(pieces)} ×{" "}
                {before === undefined ? (
                  usd(product.usd_supply)
                ) : (
                  <Changed from={usd(before)} to={usd(product.usd_supply)} />
                )}
              </span>
            </li>
          ))}
        </ul>
      )}
      <Facts
        layout="spread"
        className="mb-10 px-card py-10 rounded-3 bg-sunken"
        facts={[
          { label: "Products", value: count(lines.length) },
          { label: "Units", value: count(lines.reduce((units, line) => units + line.count, 0)) },
          { label: "Subtotal", value: sums(lines, changed.length > 0) },
        ]}
      />
      <Failure
        text={
          unanswered ? "No response yet. Confirm again: the order is placed only once." : undefined
        }
      />
      <OfflineReason text="Ordering needs a connection." />
    </Dialog>
  );
}

/** What the lines come to, after what they came to at the prices that were shown first. */
function sums(lines: readonly RequestedLine[], isChanged: boolean): ReactNode {
  const now = money(subtotal(lines));
  if (!isChanged) return now;
  const former = lines.map(({ product, count, before = product.usd_supply }) => ({
    product: { usd_supply: before },
    count,
  }));
  return <Changed from={money(subtotal(former))} to={now} />;
}

function Changed({ from, to }: { from: string; to: string }) {
  return (
    <>
      {from} <ArrowRight className="inline align-[-2px]" size={14} aria-label="to" /> {to}
    </>
  );
}
