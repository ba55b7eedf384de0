import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo, useRef, useState } from "react";
import { useUser } from "@/api/session";
import { type BasketLine, basket } from "@/domain/basket";
import { isShort } from "@/domain/orders";
import { useOnChange } from "@/shared/effects";
import { productKeys } from "@/shared/query-keys";
import { alert } from "@/shared/ui/alerts";
import { usePopup } from "@/shared/ui/popup";
import { toast } from "@/shared/ui/toasts";
import { useBasketLines } from "@/shared/use-basket-lines";
import { useKeepFormer } from "../baskets/keep-basket";
import { basketProducts, type Product, type ProductsBySku } from "../queries";
import {
  availableOf,
  checkBasket,
  checkQuantity,
  PROBLEM_TEXTS,
  subtotal,
  usualPieces,
} from "../rules";

const REMOVALS_APART_MS = 10 * 60_000;
const UNAVAILABLE = "Removed: no longer available to you.";

/** A line of the basket with what the portal knows of its product now. */
export type BasketItem = ReturnType<typeof basketItems>[number];

export type Basket = ReturnType<typeof useBasket>;

/** What the buyer is told of a product. */
export interface Note {
  readonly name: string;
  readonly text: string;
}

/** The basket in local storage, joined with the products and checked by the rules. */
export function useBasket() {
  const { uuid, stock_free } = useUser();
  const client = useQueryClient();
  const lines = useBasketLines();
  const { data: bySku, dataUpdatedAt, error, isFetching, refetch } = useQuery(basketProducts(uuid));
  const [changed, setChanged] = useState<{ name: string; count: number }>();
  const [notes, tell] = useState<readonly Note[]>([]);

  const keepFormer = useKeepFormer();

  const unavailable = lines.filter(({ sku }) => bySku?.[sku] === null).map(({ sku }) => sku);
  const unasked = lines.some(({ sku }) => bySku && bySku[sku] === undefined);
  useOnChange(unavailable.join() || undefined, () => {
    basket.remove(unavailable);
    tell(unavailable.map((name) => ({ name, text: UNAVAILABLE })));
  });
  // Another tab has chosen something.
  useOnChange((unasked && !isFetching && !error) || undefined, () => void refetch());

  const items = useMemo(
    () => basketItems(lines, bySku, { stockFree: stock_free === 1 }),
    [lines, bySku, stock_free],
  );

  const formerAt = useRef(0);
  const remove = ({ sku, eng_name }: Product, text = `${eng_name} removed.`) => {
    // Lines that go one after the other are all in the first of their former baskets.
    if (Date.now() - formerAt.current > REMOVALS_APART_MS) keepFormer("removed", basket.lines());
    formerAt.current = Date.now();
    const undo = basket.undoable(() => basket.remove([sku]));
    setChanged({ name: eng_name, count: 0 });
    toast(text, undo);
  };

  return {
    items,
    /** The same as they are kept, also while nothing is known of their products. */
    lines,
    /** Every line has been checked against the stock. */
    ready: items.length === lines.length && (bySku !== undefined || lines.length === 0),
    /** Why lines could not be checked, null while they are or can be. */
    failure: items.length < lines.length ? error : null,
    checking: isFetching,
    /** When the portal said how its products stand, in milliseconds since 1970; 0 for not yet. */
    checkedAt: dataUpdatedAt,
    units: lines.reduce((total, { count }) => total + count, 0),
    subtotal: subtotal(items),
    /** The last change, for the live region; undefined once the basket was emptied. */
    changed,
    /** What is not as it was, or was left out. */
    notes,
    recheck: () => void refetch(),
    /** Puts a product into the basket with so many pieces, the usual ones if none are named; or takes it out. */
    toggle: (product: Product, pieces = usualPieces(product)) => {
      if (basket.lines().some(({ sku }) => sku === product.sku)) return remove(product);
      // As old as it was: what was chosen from the list is no answer of this moment.
      const updatedAt = client.getQueryState(productKeys.cart)?.dataUpdatedAt || Date.now();
      client.setQueryData<ProductsBySku>(
        productKeys.cart,
        (before) => ({ ...before, [product.sku]: product }),
        { updatedAt },
      );
      basket.add(product.sku, pieces, product.usd_supply);
      setChanged({ name: product.eng_name, count: pieces });
    },
    setCount: (product: Product, count: number) => {
      basket.setCount(product.sku, count);
      setChanged({ name: product.eng_name, count });
    },
    /** Takes a product out, and says so, with the way back. */
    remove,
    reset: () => {
      const note = keepFormer("reset", lines);
      const undo = basket.undoable(basket.clear);
      setChanged(undefined);
      tell([]);
      if (lines.length > 0) toast(`Basket emptied.${note}`, undo);
    },
    /** Shows these notes above the lines; none takes them away. */
    tell,
  };
}

/** The lines whose products are known, judged by the rules. */
function basketItems(
  lines: readonly BasketLine[],
  products: ProductsBySku | undefined,
  { stockFree }: { stockFree: boolean },
) {
  const prices = basket.chosenPrices();
  return lines.flatMap(({ sku, count }) => {
    const product = products?.[sku];
    if (!product) return [];
    const shownPrice = prices[sku] ?? product.usd_supply;
    return [
      {
        product,
        count,
        short: isShort({ available: availableOf(product), count, stockFree }),
        problem: checkQuantity({ ...product, count }),
        /** Unit price in US dollars at which it was chosen, where that has changed since. */
        formerPrice: shownPrice === product.usd_supply ? undefined : shownPrice,
      },
    ];
  });
}

/** The question about the whole basket, which is checked before it is asked. */
export function useBasketQuestion({ items }: Basket) {
  const { stock_free } = useUser();
  const { show, ...question } = usePopup<readonly BasketItem[]>();
  return {
    ...question,
    ask: () => {
      const lines = items.map(({ product, count }) => ({
        ...product,
        count,
        available: availableOf(product),
      }));
      const problem = checkBasket(lines, { stockFree: stock_free === 1 });
      if (problem) void alert(PROBLEM_TEXTS[problem]);
      else show(items);
    },
  };
}
