import { useUser } from "@/api/session";
import { type Cents, cents, money } from "@/domain/figures";
import { useIsOnline } from "@/shared/online";
import { Button, type ButtonProps } from "@/shared/ui/Button";
import { OfflineReason } from "@/shared/ui/Panels";
import type { Basket } from "./use-basket";

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
