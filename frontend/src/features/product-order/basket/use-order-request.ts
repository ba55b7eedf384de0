import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { isUncertain } from "@/api/errors";
import { useUser } from "@/api/session";
import { basket as store } from "@/domain/basket";
import { orderTexts } from "@/shared/order-texts";
import { texts } from "@/shared/texts";
import { alert } from "@/shared/ui/alerts";
import { toasts } from "@/shared/ui/toasts";
import { availableOf, type BasketProblem, checkBasket } from "../rules";
import { isRefusedBasket, useRequestOrder } from "./mutations";
import type { Basket } from "./use-basket";

const LAST_EDITS_MS = 1500;
const PROBLEM_TEXTS: Record<BasketProblem, string> = {
  no_lines: orderTexts.noLines,
  out_of_stock: orderTexts.someOutOfStock,
  below_moq: orderTexts.belowMoq,
  not_multiple_of_moq: orderTexts.notMultiple,
};
const KNOWN_REFUSALS: readonly string[] = Object.values(PROBLEM_TEXTS);

/** From the Order button to the deposit checkout: the checks, the question, the request. */
export function useOrderRequest(basket: Basket) {
  const { stock_free } = useUser();
  const navigate = useNavigate();
  const request = useRequestOrder();
  const [asking, setAsking] = useState(false);
  // Answered, and on the way to the checkout: the button stays busy until the screen is gone.
  const [leaving, setLeaving] = useState(false);
  const sending = useRef(false);

  const ask = async () => {
    const lines = basket.items.map(({ product, count }) => ({
      ...product,
      available: availableOf(product),
      count,
    }));
    const problem = checkBasket(lines, { stockFree: stock_free === 1 });
    if (problem) await alert(PROBLEM_TEXTS[problem]);
    else {
      request.reset();
      // What it would take back is being ordered, and on a phone it lies over the figures.
      toasts.dismiss();
      setAsking(true);
    }
  };

  const send = async () => {
    if (sending.current) return;
    sending.current = true;
    try {
      // So that the order takes out of the server's basket what it orders.
      await store.settled(LAST_EDITS_MS);
      const lines = basket.items.map(({ product, count }) => ({ sku: product.sku, count }));
      const { invoice_code } = await request.mutateAsync({ lines, total: basket.subtotal / 100 });
      setLeaving(true);
      navigate(`/order/checkout-deposit/${encodeURIComponent(invoice_code)}`);
    } catch (error) {
      sending.current = false;
      if (!isRefusedBasket(error)) return;
      const { message } = error;
      await alert(KNOWN_REFUSALS.includes(message) ? message : texts.somethingWentWrong);
      setAsking(false);
    }
  };

  return {
    asking,
    busy: request.isPending || leaving,
    unanswered: request.isError && isUncertain(request.error),
    ask: () => void ask(),
    send: () => void send(),
    cancel: () => setAsking(false),
  };
}
