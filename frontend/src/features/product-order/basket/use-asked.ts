import { useState } from "react";
import { useUser } from "@/api/session";
import { orderTexts } from "@/shared/order-texts";
import { alert } from "@/shared/ui/alerts";
import { toasts } from "@/shared/ui/toasts";
import { availableOf, type BasketProblem, checkBasket } from "../rules";
import type { AskedLine } from "./mutations";
import type { Basket } from "./use-basket";

export const PROBLEM_TEXTS: Record<BasketProblem, string> = {
  no_lines: orderTexts.noLines,
  out_of_stock: orderTexts.someOutOfStock,
  below_moq: orderTexts.belowMoq,
  not_multiple_of_moq: orderTexts.notMultiple,
};

/** What the buyer is asked about before it is requested; another `id` each time, 0 before the first. */
export function useAsked() {
  const [asked, setAsked] = useState({ id: 0, lines: [] as readonly AskedLine[], isOpen: false });
  return {
    ...asked,
    ask: (lines: readonly AskedLine[]) => {
      // What it would take back is being ordered, and on a phone it lies over the figures.
      toasts.dismiss();
      setAsked({ id: asked.id + 1, lines, isOpen: true });
    },
    close: () => setAsked((before) => ({ ...before, isOpen: false })),
  };
}

export type Asked = Omit<ReturnType<typeof useAsked>, "ask">;

/** The question about the whole basket, which is checked before it is asked. */
export function useBasketAsked(basket: Basket) {
  const { stock_free } = useUser();
  const asked = useAsked();

  const ask = async () => {
    const lines = basket.items.map(({ product, count }) => ({
      ...product,
      available: availableOf(product),
      count,
    }));
    const problem = checkBasket(lines, { stockFree: stock_free === 1 });
    if (problem) return alert(PROBLEM_TEXTS[problem]);
    asked.ask(
      basket.items.map(({ product, count }) => ({
        sku: product.sku,
        name: product.eng_name,
        count,
        price: product.usd_supply,
      })),
    );
  };

  return { ...asked, ask: () => void ask() };
}
