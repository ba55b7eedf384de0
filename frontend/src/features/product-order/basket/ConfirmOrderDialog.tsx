import { ArrowRight } from "lucide-react";
import { type ReactNode, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { type ApiError, isUncertain } from "@/api/errors";
import { basket } from "@/domain/basket";
import { count, money, usd } from "@/domain/figures";
import { useIsOnline } from "@/shared/online";
import * as texts from "@/shared/texts";
import { alert } from "@/shared/ui/alerts";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { Facts } from "@/shared/ui/Facts";
import { Failure, OfflineReason } from "@/shared/ui/Panels";
import { subtotal } from "../rules";
import { isRefusedBasket, type RequestedLine, useRequestOrder } from "./mutations";
import { type OrderQuestion, PROBLEM_TEXTS } from "./use-order-question";

interface ConfirmOrderDialogProps {
  question: OrderQuestion;
  /** Names every line, not only those with a new price. */
  hasLines?: boolean;
}

/** The last question before lines become a temporary order; it comes again where a price has changed since. */
export default function ConfirmOrderDialog({
  question,
  hasLines = false,
}: ConfirmOrderDialogProps) {
  const { lines, busy, unanswered, send } = useOrderRequest(question);
  const isOnline = useIsOnline();
  const changed = lines.filter(({ before }) => before !== undefined);
  const named = hasLines ? lines : changed;
  const cancel = () => {
    if (!busy) question.close();
  };
  return (
    <Dialog
      open={question.isOpen}
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
      {named.length > 0 && (
        <ul
          className="mb-12
            [&_li]:flex [&_li]:flex-wrap [&_li]:justify-between [&_li]:gap-y-2 [&_li]:gap-x-16
            [&_li]:py-6 [&_li]:px-0 [&_li]:border-b [&_li]:border-line"
        >
          {named.map((line) => (
            <li key={line.sku}>
              <span>{line.name}</span>
              <span className="tabular-nums">
                {count(line.count)} ×{" "}
                {line.before === undefined ? (
                  usd(line.price)
                ) : (
                  <Changed from={usd(line.before)} to={usd(line.price)} />
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
  const shown = lines.map(({ count, price, before = price }) => ({ count, price: before }));
  return <Changed from={money(subtotal(shown))} to={now} />;
}

function Changed({ from, to }: { from: string; to: string }) {
  return (
    <>
      {from} <ArrowRight className="inline align-[-2px]" size={14} aria-label="to" /> {to}
    </>
  );
}

const LAST_EDITS_MS = 1500;
const KNOWN_REFUSALS: readonly string[] = Object.values(PROBLEM_TEXTS);

/** From the question to the deposit checkout: what is asked about is what is sent. */
function useOrderRequest(question: OrderQuestion) {
  const navigate = useNavigate();
  const request = useRequestOrder();
  const [lines, setLines] = useState(question.lines);
  // Answered, and on the way to the checkout: the button stays busy until the screen is gone.
  const [leaving, setLeaving] = useState(false);
  const sending = useRef(false);

  const send = async () => {
    if (sending.current) return;
    sending.current = true;
    try {
      // So that the order takes out of the server's basket what it orders.
      await basket.settled(LAST_EDITS_MS);
      const { invoice_code } = await request.mutateAsync(lines);
      setLeaving(true);
      navigate(`/order/checkout-deposit/${encodeURIComponent(invoice_code)}`);
    } catch (error) {
      sending.current = false;
      if (isRefusedBasket(error)) await refused(error);
    }
  };

  const refused = async (error: ApiError) => {
    if (error.code === "price_changed") return setLines(priced(lines, error));
    const { message, code } = error;
    const isKnown = code === "below_minimum" || KNOWN_REFUSALS.includes(message);
    await alert(isKnown ? message : texts.somethingWentWrong);
    question.close();
  };

  return {
    lines,
    busy: request.isPending || leaving,
    unanswered: request.isError && isUncertain(request.error),
    send: () => void send(),
  };
}

/** The lines at the prices of now, which a refusal names: `{sku: [shown, now]}`. */
function priced(lines: readonly RequestedLine[], { errors }: ApiError): RequestedLine[] {
  return lines.map(({ before: _, ...line }) => {
    const now = errors[line.sku]?.[1];
    return now === undefined ? line : { ...line, price: Number(now), before: line.price };
  });
}
