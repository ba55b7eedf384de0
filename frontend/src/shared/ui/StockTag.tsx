import { count } from "@/domain/units";
import { Tag } from "./Tag";

/** Why a line cannot be had as it is: nothing is left, or less than it asks for (pieces). */
export function StockTag({ left }: { left: number }) {
  if (left <= 0) return <Tag tone="bad">Sold out</Tag>;
  return <Tag tone="warn">Only {count(left)} in stock</Tag>;
}
