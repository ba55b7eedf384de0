import { queryOptions } from "@tanstack/react-query";
import { History, Lock, Share2, Users } from "lucide-react";
import { api, unwrap } from "@/api/client";
import { counted } from "@/domain/figures";
import { basketKeys } from "@/shared/query-keys";
import { confirm } from "@/shared/ui/alerts";
import { formerName, type SavedBasket, useChangeBasket } from "./keep-basket";

export function nameOf({ kind, name, saved_at }: SavedBasket): string {
  return kind === "named" ? name : formerName(kind, new Date(saved_at));
}

/** `42 products · shared`: how large it is, and who sees it. */
export function factsOf({ count, kind, is_own, is_shared, owner }: SavedBasket): string {
  const shared = is_shared === 1 ? "shared" : "only you";
  const note = kind === "named" ? shared : "kept 30 days";
  return `${counted(count, "product")} · ${is_own === 1 ? note : owner}`;
}

/** The address that opens a basket that was put by, or adds it to the one of this browser. */
export function savedBasketLink(uuid: string, how: "open" | "add"): string {
  return `/order?${new URLSearchParams({ [how]: uuid, panel: "basket" })}`;
}

/** The baskets that the buyer may open: the first page, which is more than most will ever have. */
export const savedBaskets = () =>
  queryOptions({
    queryKey: basketKeys.saved,
    staleTime: 0,
    queryFn: async ({ signal }) => unwrap(await api.GET("/baskets", { signal })).result,
  });

/** What may be done with one's own basket that was put by: named, shared or not, deleted after asking. */
export function useBasketActions(onName: (saved: SavedBasket) => void) {
  const { mutate } = useChangeBasket({ onFailure: "alert" });
  const remove = async (saved: SavedBasket) => {
    const name = nameOf(saved);
    if (await confirm(`“${name}” will be deleted.`, { destroys: true }))
      mutate({ kind: "basket-gone", basket: saved.uuid, name });
  };
  return (saved: SavedBasket) => {
    const { uuid: basket, kind, name, is_shared } = saved;
    const body = { name, is_shared: is_shared === 1 ? (0 as const) : (1 as const) };
    return [
      {
        key: "name",
        content: kind === "named" ? "Rename" : "Name",
        onSelect: () => onName(saved),
      },
      kind === "named" && {
        key: "share",
        content: is_shared === 1 ? "Stop sharing" : "Share",
        onSelect: () => mutate({ kind: "basket-name", basket, body }),
      },
      { key: "delete", content: "Delete", onSelect: () => void remove(saved) },
    ].filter((entry) => entry !== false);
  };
}

/** Whose basket it is: a former one, a colleague's, shared, or the buyer's alone. */
export function SavedIcon({ saved }: { saved: SavedBasket }) {
  if (saved.kind !== "named") return <History />;
  if (saved.is_own !== 1) return <Users />;
  return saved.is_shared === 1 ? <Share2 /> : <Lock />;
}
