import { Info, ShoppingBag, X } from "lucide-react";
import { type ReactNode, useId } from "react";
import { money } from "@/domain/money";
import { counted } from "@/domain/units";
import { Button } from "@/shared/ui/Button";
import { Card, CardHead, CountPill } from "@/shared/ui/Card";
import { EmptyState, RetryPanel } from "@/shared/ui/Panels";
import { Loading, Skeleton } from "@/shared/ui/Skeleton";
import { PHONE, useMedia } from "@/shared/use-media";
import styles from "./BasketPanel.module.css";
import { BasketRow } from "./BasketRow";
import type { Basket } from "./use-basket";

interface BasketPanelProps {
  basket: Basket;
  onOrder: () => void;
  className?: string | undefined;
}

/** The order basket: its lines with their problems, the subtotal, and Order. */
export function BasketPanel({ basket, onOrder, className }: BasketPanelProps) {
  const id = useId();
  const { items } = basket;
  return (
    <Card aria-labelledby={id} {...(className && { className })}>
      <div className={styles.head}>
        <CardHead
          id={id}
          title={
            <>
              Order basket
              {items.length > 0 && <CountPill>{items.length}</CountPill>}
            </>
          }
        >
          {items.length > 0 && (
            <span className={`${styles.units} num`}>{counted(basket.units, "unit")}</span>
          )}
        </CardHead>
      </div>
      <div className={styles.body}>
        {basket.leftOut.length > 0 && (
          <LeftOut names={basket.leftOut} onDismiss={basket.dismissLeftOut} />
        )}
        <BasketBody basket={basket} />
      </div>
      <footer className={styles.foot}>
        <p className={styles.subtotal}>
          <span>Subtotal</span>
          <strong className="num">{money(basket.subtotal)}</strong>
        </p>
        <Button variant="primary" size="large" wide disabled={!basket.ready} onClick={onOrder}>
          Order
        </Button>
      </footer>
    </Card>
  );
}

function BasketBody({ basket }: { basket: Basket }): ReactNode {
  const phone = useMedia(PHONE);
  if (basket.failure) {
    return <RetryPanel error={basket.failure} busy={basket.checking} onRetry={basket.recheck} />;
  }
  if (!basket.ready) return <BasketSkeleton />;
  if (basket.items.length === 0) {
    return (
      <EmptyState
        icon={<ShoppingBag size={28} strokeWidth={1.6} aria-hidden />}
        text="Your basket is empty"
      >
        <p>Select products to start an order.</p>
      </EmptyState>
    );
  }
  return (
    <ul data-quantities>
      {basket.items.map((item) => (
        <BasketRow
          key={item.product.sku}
          item={item}
          imageSide={phone ? 56 : 46}
          onCount={basket.setCount}
          onRemove={basket.remove}
        />
      ))}
    </ul>
  );
}

function LeftOut({ names, onDismiss }: { names: readonly string[]; onDismiss: () => void }) {
  return (
    <div className={styles.leftOut} role="status">
      <Info size={16} strokeWidth={1.8} aria-hidden />
      <p>Left out because they cannot be ordered now: {names.join(", ")}</p>
      <Button
        variant="ghost"
        size="small"
        square
        aria-label="Dismiss"
        icon={<X size={16} strokeWidth={1.8} aria-hidden />}
        onClick={onDismiss}
      />
    </div>
  );
}

function BasketSkeleton() {
  return (
    <Loading label="Checking the stock">
      {[0, 1, 2].map((line) => (
        <div key={line} className={styles.skeleton}>
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
