import { useQuery } from "@tanstack/react-query";
import { useSearchParams } from "react-router";
import { useOnChange } from "@/shared/effects";
import { failureText } from "@/shared/ui/failure";
import { toast } from "@/shared/ui/toasts";
import type { SavedBasket } from "../baskets/keep-basket";
import { savedBaskets } from "../baskets/saved-baskets";

/** The address that opens a basket that was put by, or adds it to the one of this browser. */
export function savedBasketLink(uuid: string, how: "open" | "add"): string {
  return `/order?${new URLSearchParams({ [how]: uuid, panel: "basket" })}`;
}

interface LinkedBasket {
  onOpen: (saved: SavedBasket) => void;
  onAdd: (saved: SavedBasket) => void;
}

/** Does what `savedBasketLink` asks for, once: a reload must not add a basket again. */
export function useLinkedBasket({ onOpen, onAdd }: LinkedBasket): void {
  const [query, setQuery] = useSearchParams();
  const opened = query.get("open");
  const added = query.get("add");
  const linked = opened ?? added;
  const list = useQuery({ ...savedBaskets(), enabled: linked !== null });
  const isKnown = list.isSuccess || list.isError;

  useOnChange(linked !== null && isKnown ? `${linked} ${added}` : undefined, () => {
    setQuery(
      (before) => {
        const after = new URLSearchParams(before);
        after.delete("open");
        after.delete("add");
        return after;
      },
      { replace: true },
    );
    const saved = list.data?.find(({ uuid }) => uuid === linked);
    if (!saved) toast(list.error ? failureText(list.error) : "This basket is no longer there.");
    else if (opened === null) onAdd(saved);
    else onOpen(saved);
  });
}
