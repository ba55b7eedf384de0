import { LongList } from "@/shared/ui/LongList";
import { BasketRow, isProblem } from "./BasketRow";
import type { Basket, BasketItem } from "./use-basket";

const ROW = 84;

export default function LongBasket({ basket }: { basket: Basket }) {
  return (
    <LongList
      name="basket"
      cell="quantity"
      lines={basket.items}
      factsOf={factsOf}
      height={ROW}
      sortable
    >
      {(item, place, stop) => (
        <BasketRow
          key={item.product.sku}
          item={item}
          {...{ basket, place, stop, index: place.index }}
        />
      )}
    </LongList>
  );
}

const factsOf = (item: BasketItem) => ({
  sku: item.product.sku,
  name: item.product.eng_name,
  brand: item.product.brand,
  amount: item.product.usd_supply * item.count,
  isProblem: isProblem(item),
});
