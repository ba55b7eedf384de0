import { useUser } from "@/api/session";
import * as texts from "@/shared/texts";
import { alert } from "@/shared/ui/alerts";
import { usePopup } from "@/shared/ui/popup";
import type { Product } from "../queries";
import { availableOf, type BasketProblem, checkBasket } from "../rules";
import type { Basket } from "./use-basket";

/** A line as the buyer is asked about it. */
export interface RequestedLine {
  readonly product: Product;
  readonly count: number;
  /** The price of a piece that was shown first, in US dollars, where another one has come since. */
  readonly before?: number;
}

export const PROBLEM_TEXTS: Record<BasketProblem, string> = {
  no_lines: texts.noLines,
  out_of_stock: texts.someOutOfStock,
  below_moq: texts.belowMoq,
  not_multiple_of_moq: texts.notMultiple,
};

/** The question about the whole basket, which is checked before it is asked. */
export function useBasketQuestion(basket: Basket) {
  const { stock_free } = useUser();
  const { show, ...question } = usePopup<readonly RequestedLine[]>();
  return {
    ...question,
    ask: () => {
      const lines = basket.items.map(({ product, count }) => ({
        ...product,
        count,
        available: availableOf(product),
      }));
      const problem = checkBasket(lines, { stockFree: stock_free === 1 });
      if (problem) void alert(PROBLEM_TEXTS[problem]);
      else show(basket.items);
    },
  };
}
