import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { type ApiError, isUncertain } from "@/api/errors";
import { useUser } from "@/api/session";
import { basket as store } from "@/domain/basket";
import { orderTexts } from "@/shared/order-texts";
import { texts } from "@/shared/texts";
import { alert } from "@/shared/ui/alerts";
import { toasts } from "@/shared/ui/toasts";
import { availableOf, type BasketProblem, checkBasket } from "../rules";
import { type AskedLine, isRefusedBasket, useRequestOrder } from "./mutations";
import type { Basket } from "./use-basket";

const LAST_EDITS_MS = 1500;
const PROBLEM_TEXTS: Record<BasketProblem, string> = {
  no_lines: orderTexts.noLines,
  out_of_stock: orderTexts.someOutOfStock,
  below_moq: orderTexts.belowMoq,
  not_multiple_of_moq: orderTexts.notMultiple,
};
const KNOWN_REFUSALS: readonly string[] = Object.values(PROBLEM_TEXTS);

/** From the question to the deposit checkout: what is asked about is what is sent. */
export function useOrderRequest() {
  const navigate = useNavigate();
  const request = useRequestOrder();
  const [lines, setLines] = useState<readonly AskedLine[]>([]);
  const [asking, setAsking] = useState(false);
  // Answered, and on the way to the checkout: the button stays busy until the screen is gone.
  const [leaving, setLeaving] = useState(false);
  const sending = useRef(false);

  const ask = (asked: readonly AskedLine[]) => {
    request.reset();
    // What it would take back is being ordered, and on a phone it lies over the figures.
    toasts.dismiss();
    setLines(asked);
    setAsking(true);
  };

  const send = async () => {
    if (sending.current) return;
    sending.current = true;
    try {
      // So that the order takes out of the server's basket what it orders.
      await store.settled(LAST_EDITS_MS);
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
    const { message } = error;
    await alert(KNOWN_REFUSALS.includes(message) ? message : texts.somethingWentWrong);
    setAsking(false);
  };

  return {
    lines,
    asking,
    busy: request.isPending || leaving,
    unanswered: request.isError && isUncertain(request.error),
    ask,
    send: () => void send(),
    cancel: () => setAsking(false),
  };
}

export type OrderRequest = ReturnType<typeof useOrderRequest>;

/** The lines at the prices of now, which a refusal names: `{sku: [shown, now]}`. */
function priced(lines: readonly AskedLine[], { errors }: ApiError): AskedLine[] {
  return lines.map(({ before: _, ...line }) => {
    const now = errors[line.sku]?.[1];
    return now === undefined ? line : { ...line, price: Number(now), before: line.price };
  });
}

/** The request of the whole basket, which is checked before the buyer is asked. */
export function useBasketRequest(basket: Basket) {
  const { stock_free } = useUser();
  const request = useOrderRequest();

  const ask = async () => {
    const lines = basket.items.map(({ product, count }) => ({
      ...product,
      available: availableOf(product),
      count,
    }));
    const problem = checkBasket(lines, { stockFree: stock_free === 1 });
    if (problem) return alert(PROBLEM_TEXTS[problem]);
    request.ask(
      basket.items.map(({ product, count }) => ({
        sku: product.sku,
        name: product.eng_name,
        count,
        price: product.usd_supply,
      })),
    );
  };

  return { ...request, ask: () => void ask() };
}
