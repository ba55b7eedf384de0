import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { History, Lock, Share2, Users } from "lucide-react";
import { api, unwrap } from "@/api/client";
import { sendOrKeep } from "@/api/outbox";
import { useUser } from "@/api/session";
import { counted } from "@/domain/figures";
import { uuid4 } from "@/domain/uuid";
import type { BasketName } from "@/shared/outbox";
import { basketKeys } from "@/shared/query-keys";
import { confirm } from "@/shared/ui/alerts";
import { formerName, refreshList, type SavedBasket } from "./keep-basket";

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

/** What the dialog is about: saving or renaming, adding or replacing, or all baskets. */
export type BasketTask =
  | { readonly about: "save"; readonly saved?: SavedBasket }
  | { readonly about: "open"; readonly saved: SavedBasket }
  | { readonly about: "all" };

/** The baskets that the buyer may open: the first page, which is more than most will ever have. */
export const savedBaskets = () =>
  queryOptions({
    queryKey: basketKeys.saved,
    staleTime: 0,
    queryFn: async ({ signal }) => unwrap(await api.GET("/baskets", { signal })).result,
  });

/** Names a basket, and shares it or not; without a connection as soon as there is one. Answers whether it is done. */
export function useNameBasket() {
  const client = useQueryClient();
  const { uuid: owner } = useUser();
  return useMutation({
    mutationFn: async ({ uuid: basket, ...body }: BasketName & { uuid: string }) => {
      const entry = { id: uuid4(), kind: "basket-name", basket, body } as const;
      const isSent = await sendOrKeep(owner, entry);
      const renamed = { ...body, kind: "named" } as const;
      if (!isSent) {
        changeList(client, (saved) =>
          saved.map((one) => (one.uuid === basket ? { ...one, ...renamed } : one)),
        );
      }
      return isSent;
    },
    onSuccess: () => refreshList(client),
  });
}

/** Shows what is done only later. */
function changeList(
  client: QueryClient,
  change: (baskets: readonly SavedBasket[]) => SavedBasket[],
): void {
  client.setQueryData<SavedBasket[]>(basketKeys.saved, (before) => before && change(before));
}

/** What may be done with one's own basket that was put by: named, shared or not, deleted after asking. */
export function useBasketActions(onName: (saved: SavedBasket) => void) {
  const client = useQueryClient();
  const { uuid: owner } = useUser();
  const naming = useNameBasket();
  const removal = useMutation({
    meta: { onFailure: "alert" },
    mutationFn: async (saved: SavedBasket) => {
      const basket = saved.uuid;
      const entry = { id: uuid4(), kind: "basket-gone", basket, name: nameOf(saved) } as const;
      const isSent = await sendOrKeep(owner, entry);
      if (!isSent) changeList(client, (baskets) => baskets.filter(({ uuid }) => uuid !== basket));
    },
    onSuccess: () => refreshList(client),
  });
  const remove = async (saved: SavedBasket) => {
    const text = `“${nameOf(saved)}” will be deleted.`;
    if (await confirm(text, { destroys: true })) removal.mutate(saved);
  };
  return (saved: SavedBasket) => {
    const { uuid, kind, name } = saved;
    const isShared = saved.is_shared === 1;
    const share = () => naming.mutate({ uuid, name, is_shared: isShared ? 0 : 1 });
    return [
      {
        key: "name",
        content: kind === "named" ? "Rename" : "Name",
        onSelect: () => onName(saved),
      },
      ...(kind === "named"
        ? [{ key: "share", content: isShared ? "Stop sharing" : "Share", onSelect: share }]
        : []),
      { key: "delete", content: "Delete", onSelect: () => void remove(saved) },
    ];
  };
}

/** Whose basket it is: a former one, a colleague's, shared, or the buyer's alone. */
export function SavedIcon({ saved }: { saved: SavedBasket }) {
  if (saved.kind !== "named") return <History />;
  if (saved.is_own !== 1) return <Users />;
  return saved.is_shared === 1 ? <Share2 /> : <Lock />;
}
