import { Sparkles } from "lucide-react";
import { lastDayBefore, usd } from "@/domain/figures";
import { cx } from "@/shared/cx";
import type { Product } from "../queries";

interface UsualPriceProps {
  product: Pick<Product, "usual_price" | "price_until">;
  className?: string | undefined;
}

/** What a product costs once its present price ends, struck through, and that price's last day. */
export function UsualPrice({ product: { usual_price, price_until }, className }: UsualPriceProps) {
  if (usual_price === null) return null;
  return (
    <span
      className={cx(
        "text-ink-3 text-12 font-medium tabular-nums",
        "[&>:first-child]:whitespace-nowrap [&_span_span]:whitespace-nowrap",
        "[&_svg]:inline [&_svg]:m-0 [&_svg]:text-brand [&_svg]:align-[-2px]",
        className,
      )}
    >
      <span>
        <Sparkles size={13} aria-label="Promotion" />
        <span className="sr-only">, usual price</span> <s>{usd(usual_price)}</s>
      </span>{" "}
      {price_until && (
        <span>
          until <span>{lastDayBefore(price_until)}</span>
        </span>
      )}
    </span>
  );
}
