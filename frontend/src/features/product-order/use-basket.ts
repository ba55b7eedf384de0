import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";
import { useUser } from "@/api/session";
import { type BasketLine, basket } from "@/domain/basket";
import type { Cents } from "@/domain/money";
import { isShort } from "@/domain/stock";
import { useArrival } from "@/shared/effects";
import { productKeys } from "@/shared/query-keys";
import { toast } from "@/shared/ui/toasts";
import { useBasketLines } from "@/shared/use-basket-lines";
import { basketProducts, type Product, type ProductsBySku } from "./queries";
import { checkQuantity, type QuantityProblem, subtotal } from "./rules";

/** A line of the basket with what the portal knows of its product now. */
export interface BasketItem {
  readonly product: Product;
  readonly count: number;
  readonly short: boolean;
  readonly problem: QuantityProblem | undefined;
  /** Unit price in US dollars at which it was chosen, where that has changed since. */
  readonly formerPrice: number | undefined;
}

export interface Basket {
  readonly items: readonly BasketItem[];
  /** Every line has been checked against the stock. */
  readonly ready: boolean;
  /** Why lines could not be checked, null while they are or can be. */
  readonly failure: Error | null;
  readonly checking: boolean;
  readonly units: number;
  readonly subtotal: Cents;
  /** SKUs of the last change, for the live region; undefined once the basket was emptied. */
  readonly changed: Changed | undefined;
  /** What was left out of the basket, by name. */
  readonly leftOut: readonly string[];
  readonly recheck: () => void;
  readonly toggle: (product: Product) => void;
  readonly setCount: (product: Product, count: number) => void;
  readonly remove: (product: Product) => void;
  readonly reset: () => void;
  readonly replace: (items: readonly Chosen[], leftOut: readonly string[]) => void;
  readonly dismissLeftOut: () => void;
}

export interface Chosen {
  readonly product: Product;
  readonly count: number;
}

interface Changed {
  readonly name: string;
  readonly count: number;
}

/** The basket in local storage, joined with the products and checked by the rules. */
export function useBasket(): Basket {
  const { uuid, stock_free } = useUser();
  const client = useQueryClient();
  const lines = useBasketLines();
  const { data: known, error, isFetching, refetch } = useQuery(basketProducts(uuid));
  const [changed, setChanged] = useState<Changed>();
  const [leftOut, setLeftOut] = useState<readonly string[]>([]);

  const remember = useCallback(
    (products: readonly Product[]) => {
      client.setQueryData<ProductsBySku>(productKeys.cart, (before) => ({
        ...before,
        ...Object.fromEntries(products.map((product) => [product.sku, product])),
      }));
    },
    [client],
  );

  const gone = lines.filter(({ sku }) => known?.[sku] === null).map(({ sku }) => sku);
  const unasked = lines.some(({ sku }) => known && known[sku] === undefined);
  useArrival(gone.join() || undefined, () => {
    basket.remove(gone);
    setLeftOut(gone);
  });
  // Another tab has chosen something.
  useArrival((unasked && !isFetching && !error) || undefined, () => void refetch());

  const items = useMemo(
    () => basketItems(lines, known, { stockFree: stock_free === 1 }),
    [lines, known, stock_free],
  );

  const remove = useCallback((product: Product) => {
    basket.remove([product.sku]);
    setChanged({ name: product.eng_name, count: 0 });
  }, []);
  const toggle = useCallback(
    (product: Product) => {
      if (basket.lines().some(({ sku }) => sku === product.sku)) return remove(product);
      remember([product]);
      basket.add(product.sku, product.moq, product.usd_supply);
      setChanged({ name: product.eng_name, count: product.moq });
    },
    [remember, remove],
  );

  const setCount = useCallback((product: Product, count: number) => {
    basket.setCount(product.sku, count);
    setChanged({ name: product.eng_name, count });
  }, []);

  return {
    items,
    ready: items.length === lines.length && (known !== undefined || lines.length === 0),
    failure: items.length < lines.length ? error : null,
    checking: isFetching,
    units: items.reduce((total, { count }) => total + count, 0),
    subtotal: subtotal(items.map(({ product, count }) => ({ price: product.usd_supply, count }))),
    changed,
    leftOut,
    recheck: () => void refetch(),
    toggle,
    setCount,
    remove,
    reset: () => {
      const undo = basket.undoable(basket.clear);
      setChanged(undefined);
      setLeftOut([]);
      if (lines.length > 0) toast("Basket emptied.", undo);
    },
    replace: (chosen, names) => {
      const products = chosen.map(({ product }) => product);
      remember(products);
      const undo = basket.undoable(() =>
        basket.replace(
          chosen.map(({ product, count }) => ({ sku: product.sku, count })),
          Object.fromEntries(products.map(({ sku, usd_supply }) => [sku, usd_supply])),
        ),
      );
      setLeftOut(names);
      if (lines.length === 0) return;
      toast("Basket replaced.", () => {
        undo();
        setLeftOut([]);
      });
    },
    dismissLeftOut: () => setLeftOut([]),
  };
}

/** The lines whose products are known, judged by the rules. */
function basketItems(
  lines: readonly BasketLine[],
  known: ProductsBySku | undefined,
  { stockFree }: { stockFree: boolean },
): BasketItem[] {
  const prices = basket.chosenPrices();
  return lines.flatMap(({ sku, count }) => {
    const product = known?.[sku];
    if (!product) return [];
    const chosenAt = prices[sku] ?? product.usd_supply;
    return [
      {
        product,
        count,
        short: isShort({ available: product.qty, count, stockFree }),
        problem: checkQuantity({ count, moq: product.moq, step: product.step }),
        formerPrice: chosenAt === product.usd_supply ? undefined : chosenAt,
      },
    ];
  });
}
