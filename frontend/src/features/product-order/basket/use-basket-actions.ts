import { confirm } from "@/shared/ui/alerts";
import { nameOf, type SavedBasket, useDeleteBasket, useNameBasket } from "../baskets/saved-baskets";

/** Shares a basket that was put by or stops it, and deletes it after asking. */
export function useBasketActions() {
  const name = useNameBasket();
  const gone = useDeleteBasket();
  const share = ({ uuid, name: called, is_shared }: SavedBasket) =>
    name.mutate({ uuid, name: called, is_shared: is_shared === 1 ? 0 : 1 });
  const ask = async (basket: SavedBasket) => {
    const text = `“${nameOf(basket)}” will be deleted.`;
    if (await confirm(text, { destroys: true })) gone.mutate(basket);
  };
  return { share, remove: (basket: SavedBasket) => void ask(basket) };
}
