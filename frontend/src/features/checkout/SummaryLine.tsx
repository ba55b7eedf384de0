import { useUser } from "@/api/session";
import { count, usd } from "@/domain/figures";
import { isShort } from "@/domain/stock";
import { ProductImage } from "@/shared/ui/ProductImage";
import { type Place, virtualRow } from "@/shared/ui/rows";
import { StockTag } from "@/shared/ui/Tag";
import type { TemporaryOrderLine } from "./queries";

export function useIsShort(): (line: TemporaryOrderLine) => boolean {
  const { stock_free } = useUser();
  return ({ expect_qty: available, count }) =>
    isShort({ available, count, stockFree: stock_free === 1 });
}

/** A product of the order; with its place in a list that is drawn as far as visible. */
export function SummaryLine({ line, place }: { line: TemporaryOrderLine; place?: Place }) {
  const short = useIsShort()(line);
  return (
    <li
      className="flex items-center gap-12 border-b border-line min-h-67 py-8 px-18"
      {...(place && virtualRow(place))}
    >
      <ProductImage image={line.image} side={44} />
      <span className="grid flex-1 gap-2 min-w-0">
        <span className="font-medium wrap-anywhere text-13.5 leading-[1.3]">{line.eng_name}</span>
        <span className="text-ink-3 text-13 tabular-nums">
          {line.sku} · {count(line.count)} × {usd(line.usd_supply)}
        </span>
      </span>
      {short && <StockTag left={line.expect_qty} />}
      <span className="font-bold tabular-nums">{usd(line.order_price)}</span>
    </li>
  );
}
