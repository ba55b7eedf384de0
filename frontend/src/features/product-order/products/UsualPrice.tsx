import { Sparkles } from "lucide-react";
import { usd } from "@/domain/money";
import { lastDayBefore } from "@/shared/dates";
import type { Product } from "../queries";

interface UsualPriceProps {
  product: Pick<Product, "usual_price" | "price_until">;
  className: string | undefined;
}

/** What a product costs once its present price ends, struck through; its last day where one touches it. */
export function UsualPrice({ product: { usual_price, price_until }, className }: UsualPriceProps) {
  if (usual_price === null) return null;
  return (
    <span className={className} title={price_until ? lastDayBefore(price_until) : undefined}>
      <Sparkles size={13} strokeWidth={1.8} aria-label="Promotion" />
      <span className="visually-hidden">, usual price</span> <s>{usd(usual_price)}</s>
      {price_until && <span className="visually-hidden"> {lastDayBefore(price_until)}</span>}
    </span>
  );
}
