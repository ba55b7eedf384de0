import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { type ApiError, isUncertain } from "@/api/errors";
import { basket } from "@/domain/basket";
import { texts } from "@/shared/texts";
import { alert } from "@/shared/ui/alerts";
import { isRefusedBasket, type RequestedLine, useRequestOrder } from "./mutations";
import { type OrderQuestion, PROBLEM_TEXTS } from "./use-order-question";

const LAST_EDITS_MS = 1500;
const KNOWN_REFUSALS: readonly string[] = Object.values(PROBLEM_TEXTS);

/** From the question to the deposit checkout: what is asked about is what is sent. */
export function useOrderRequest(question: OrderQuestion) {
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
