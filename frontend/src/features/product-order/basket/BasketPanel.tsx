import { ShoppingBag } from "lucide-react";
import { lazy, type ReactNode, Suspense, useId, useRef } from "react";
import { useUser } from "@/api/session";
import { type Cents, cents, counted, money } from "@/domain/figures";
import { useIsOnline } from "@/shared/online";
import { Button, type ButtonProps } from "@/shared/ui/Button";
import {
  AsOf,
  Card,
  CardHead,
  CountPill,
  EmptyState,
  Loading,
  OfflineReason,
  RetryPanel,
  Skeleton,
} from "@/shared/ui/Panels";
import { Part } from "@/shared/ui/popup";
import { allRows, MANY, rankOf, useRanks, useRovingRows } from "@/shared/ui/rows";
import { useOrderPlace } from "../use-order-place";
import { BasketRow, isProblem } from "./BasketRow";
import type { Basket, BasketItem } from "./use-basket";

const BasketNotices = lazy(() => import("./BasketNotices"));
const LongBasket = lazy(() => import("./LongBasket"));

interface BasketPanelProps {
  basket: Basket;
  onOrder: () => void;
  className: string;
}

/** The order basket: its lines with their problems, the subtotal, and Order. */
export function BasketPanel({ basket, onOrder, className }: BasketPanelProps) {
  const id = useId();
  const { filling } = useOrderPlace();
  const { lines } = basket;
  return (
    <Card id="basket" tabIndex={-1} data-shortcut="k" aria-labelledby={id} className={className}>
      <div className="[&_h2]:whitespace-nowrap">
        <CardHead
          id={id}
          title={
            <>
              Order basket
              {lines.length > 0 && <CountPill>{lines.length}</CountPill>}
            </>
          }
        >
          {lines.length > 0 && (
            <span
              // The bar below says it too.
              className="ml-auto text-ink-3 text-13 below-360:hidden tabular-nums"
            >
              {counted(basket.units, "unit")}
            </span>
          )}
        </CardHead>
      </div>
      <div
        // Hidden texts inside must not lengthen the page.
        className="relative flex-1 overflow-auto overscroll-contain phone:static
          phone:overflow-visible paper:overflow-visible paper:[&_button]:hidden!"
      >
        <p className="not-empty:py-6 not-empty:px-16 not-empty:border-b not-empty:border-line">
          {lines.length > 0 && <AsOf at={basket.checkedAt} />}
        </p>
        <Part>
          <BasketNotices basket={basket} />
        </Part>
        {filling ? <BasketSkeleton /> : <BasketBody basket={basket} />}
      </div>
      <footer
        className="flex-none border-t border-line pt-14 pb-16 px-card phone:hidden paper:block
          paper:[&_button]:hidden!"
      >
        <p
          className="flex items-baseline justify-between gap-12 text-ink-2 mb-12
            [&_strong]:text-ink [&_strong]:text-22 [&_strong]:font-bold"
        >
          <span>Subtotal</span>
          <strong className="tabular-nums">{basket.failure ? "–" : money(basket.subtotal)}</strong>
        </p>
        <OrderButton basket={basket} data-shortcut="order" onClick={onOrder} />
      </footer>
    </Card>
  );
}

function BasketBody({ basket }: { basket: Basket }): ReactNode {
  const list = useRef<HTMLUListElement>(null);
  const { items } = basket;
  const ranks = useRanks(items.map(({ product }) => product.sku).join("\n"), () =>
    items
      .toSorted((one, other) => Number(isProblem(other)) - Number(isProblem(one)))
      .map(({ product }) => product.sku),
  );
  const place = ({ product }: BasketItem) => rankOf(ranks, product.sku);
  const roving = useRovingRows(list, allRows(items.length), "quantity");
  if (basket.failure) {
    return (
      <>
        <ul
          // By what is kept of them in this browser: no names, no prices.
          className="[&_li]:flex [&_li]:justify-between [&_li]:gap-12 [&_li]:py-10 [&_li]:px-card
            [&_li]:border-b [&_li]:border-line"
          aria-label="Kept in this browser"
        >
          {basket.lines.map(({ sku, count }) => (
            <li key={sku} className="tabular-nums">
              {sku}
              <span>{counted(count, "piece")}</span>
            </li>
          ))}
        </ul>
        <RetryPanel error={basket.failure} busy={basket.checking} onRetry={basket.recheck} />
      </>
    );
  }
  if (!basket.ready) return <BasketSkeleton />;
  if (items.length === 0) {
    return (
      <EmptyState icon={ShoppingBag} text="Your basket is empty">
        <p>Select products to start an order.</p>
      </EmptyState>
    );
  }
  if (items.length > MANY) {
    return (
      <Suspense fallback={<BasketSkeleton />}>
        <LongBasket basket={basket} />
      </Suspense>
    );
  }
  return (
    <ul ref={list} data-quantities {...roving.listeners}>
      {items
        .toSorted((one, other) => place(one) - place(other))
        .map((item, index) => (
          <BasketRow
            key={item.product.sku}
            {...{ item, basket, index }}
            stop={index === roving.stop}
          />
        ))}
    </ul>
  );
}

function BasketSkeleton() {
  return (
    <Loading label="Checking the stock">
      {[0, 1, 2].map((line) => (
        <div
          key={line}
          className="flex gap-12 border-b border-line py-12 px-card
            [&>div]:grid [&>div]:flex-1 [&>div]:gap-12"
        >
          <Skeleton width={46} height={46} radius={8} />
          <div>
            <Skeleton width="70%" height={14} />
            <Skeleton width={110} height={28} />
          </div>
        </div>
      ))}
    </Loading>
  );
}

/** Order, with the reason where it cannot be pressed: what is missing to the minimum order, or the connection. */
export function OrderButton({ basket, ...button }: ButtonProps & { basket: Basket }) {
  const isOnline = useIsOnline();
  const least = cents(useUser().minimum_order);
  const isChosen = basket.ready && basket.lines.length > 0;
  const missing = (isChosen ? Math.max(0, least - basket.subtotal) : 0) as Cents;
  return (
    <div className="grid gap-8">
      {missing > 0 && (
        <p className="text-13 text-ink-2">
          {money(missing)} more to reach our minimum order of {money(least)}.
        </p>
      )}
      <Button
        {...button}
        variant="primary"
        size="large"
        wide
        disabled={!basket.ready || !isOnline || missing > 0}
      >
        Order
      </Button>
      <OfflineReason text="Ordering needs a connection." />
    </div>
  );
}
