import { useState } from "react";
import { useUser } from "@/api/session";
import * as texts from "@/shared/texts";
import { alert } from "@/shared/ui/alerts";
import { toasts } from "@/shared/ui/toasts";
import { availableOf, type BasketProblem, checkBasket } from "../rules";
import type { RequestedLine } from "./mutations";
import type { Basket } from "./use-basket";

export const PROBLEM_TEXTS: Record<BasketProblem, string> = {
  no_lines: texts.noLines,
  out_of_stock: texts.someOutOfStock,
  below_moq: texts.belowMoq,
  not_multiple_of_moq: texts.notMultiple,
};

/** What the buyer is asked about before it is requested; another `id` each time, 0 before the first. */
export function useOrderQuestion() {
  const [question, setQuestion] = useState({
    id: 0,
    lines: [] as readonly RequestedLine[],
    isOpen: false,
  });
  return {
    ...question,
    ask: (lines: readonly RequestedLine[]) => {
      // What it would take back is being ordered, and on a phone it lies over the figures.
      toasts.dismiss();
      setQuestion({ id: question.id + 1, lines, isOpen: true });
    },
    close: () => setQuestion((before) => ({ ...before, isOpen: false })),
  };
}

export type OrderQuestion = Omit<ReturnType<typeof useOrderQuestion>, "ask">;

/** The question about the whole basket, which is checked before it is asked. */
export function useBasketQuestion(basket: Basket) {
  const { stock_free } = useUser();
  const question = useOrderQuestion();

  const ask = async () => {
    const lines = basket.items.map(({ product, count }) => ({
      ...product,
      available: availableOf(product),
      count,
    }));
    const problem = checkBasket(lines, { stockFree: stock_free === 1 });
    if (problem) return alert(PROBLEM_TEXTS[problem]);
    question.ask(
      basket.items.map(({ product, count }) => ({
        sku: product.sku,
        name: product.eng_name,
        count,
        price: product.usd_supply,
      })),
    );
  };

  return { ...question, ask: () => void ask() };
}
