import { useMutation, useQueryClient } from "@tanstack/react-query";
import { ArrowRight } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { ApiError, api, isUncertain, unwrap } from "@/api/client";
import { useUser } from "@/api/session";
import { basket } from "@/domain/basket";
import { count, money, usd } from "@/domain/figures";
import { shipOf } from "@/domain/shipping";
import { drafts, LEFT_CHECKOUT } from "@/shared/drafts";
import { useRepeatKey } from "@/shared/idempotency";
import { useIsOnline } from "@/shared/online";
import { productKeys } from "@/shared/query-keys";
import * as texts from "@/shared/texts";
import { alert } from "@/shared/ui/alerts";
import { Button } from "@/shared/ui/Button";
import { Dialog, type DialogState } from "@/shared/ui/Dialog";
import { Facts } from "@/shared/ui/Facts";
import { Failure, OfflineReason } from "@/shared/ui/Panels";
import { toasts } from "@/shared/ui/toasts";
import type { Product } from "../queries";
import { PROBLEM_TEXTS, subtotal } from "../rules";

/** A line as the buyer is asked about it. */
export interface RequestedLine {
  readonly product: Product;
  readonly count: number;
  /** The price of a piece that was shown first, in US dollars, where another one has come since. */
  readonly before?: number;
}

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

/** Its stock, its prices or its rules have changed since the screen read them. */
const REFUSED_BASKET = ["out_of_stock", "invalid", "price_changed", "below_minimum"];

const LAST_EDITS_MS = 1500;
const KNOWN_REFUSALS: readonly string[] = Object.values(PROBLEM_TEXTS);

/** POST /temp-order, from the question to the deposit checkout: what is asked about is what is sent, at those prices. */
function useOrderRequest(asked: readonly RequestedLine[], onClose: () => void) {
  const { uuid, ...buyer } = useUser();
  const navigate = useNavigate();
  const key = useRepeatKey();
  const client = useQueryClient();
  const [lines, setLines] = useState(asked);
  const isSending = useRef(false);
  const request = useMutation({
    meta: { onFailure: "alert", except: REFUSED_BASKET },
    mutationFn: async () => {
      // So that the order takes out of the server's basket what it orders.
      await basket.settled(LAST_EDITS_MS);
      const body = {
        uuid,
        export_report: 0 as const,
        ...shipOf(buyer),
        count: lines.length,
        total: subtotal(lines) / 100,
        product: lines.map(({ product, count }) => ({
          sku: product.sku,
          count,
          seen_price: product.usd_supply,
        })),
      };
      const header = { "Idempotency-Key": key.of(body) };
      const params = { query: { shop: "first" }, header };
      return unwrap(await api.POST("/temp-order", { params, body }));
    },
    onSuccess: async ({ invoice_code }) => {
      await drafts.move(uuid, LEFT_CHECKOUT, `checkout:${invoice_code}`);
      void navigate(`/order/checkout-deposit/${encodeURIComponent(invoice_code)}`);
    },
    onError: (error) => {
      isSending.current = false;
      if (!(error instanceof ApiError && REFUSED_BASKET.includes(error.code))) return;
      void client.invalidateQueries({ queryKey: productKeys.cart });
      void client.resetQueries({ queryKey: productKeys.lists });
      const { message, code } = error;
      if (code === "price_changed") return setLines(priced(lines, error));
      const isExpected = code === "below_minimum" || KNOWN_REFUSALS.includes(message);
      void alert(isExpected ? message : texts.somethingWentWrong).then(onClose);
    },
  });
  return {
    lines,
    // Once it is answered too: until the screen is gone.
    busy: request.isPending || request.isSuccess,
    unanswered: request.isError && isUncertain(request.error),
    send: () => {
      if (isSending.current) return;
      isSending.current = true;
      request.mutate();
    },
  };
}

/** The lines at the prices of now, which a refusal names: `{sku: [shown, now]}`. */
function priced(lines: readonly RequestedLine[], { errors }: ApiError): RequestedLine[] {
  return lines.map(({ product, count }) => {
    const now = errors[product.sku]?.[1];
    if (now === undefined) return { product, count };
    return { product: { ...product, usd_supply: Number(now) }, count, before: product.usd_supply };
  });
}
