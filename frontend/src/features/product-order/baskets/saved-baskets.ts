import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { api, sendOrKeep, unwrap } from "@/api/client";
import { useUser } from "@/api/session";
import { counted } from "@/domain/figures";
import { uuid4 } from "@/domain/uuid";
import { type BasketName, outbox } from "@/shared/outbox";
import { basketKeys } from "@/shared/query-keys";
import { confirm } from "@/shared/ui/alerts";
import { formerName, refreshList, type SavedBasket } from "./keep-basket";

export function nameOf({ kind, name, saved_at }: SavedBasket): string {
  return kind === "named" ? name : formerName(kind, new Date(saved_at));
}

/** `42 products · shared`: how large it is, and who sees it. */
export function factsOf({ count, kind, is_own, is_shared, owner }: SavedBasket): string {
  const shared = is_shared === 1 ? "shared" : "only you";
  const seen = kind === "named" ? shared : "kept 30 days";
  return `${counted(count, "product")} · ${is_own === 1 ? seen : owner}`;
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

/** The lines of a basket that was put by. */
export function useSavedLines() {
  return useMutation({
    mutationFn: async ({ uuid: basket }: SavedBasket) =>
      unwrap(await api.GET("/baskets/{basket}", { params: { path: { basket } } })).lines,
  });
}

/** Names a basket, and shares it or not; without a connection as soon as there is one. Answers whether it is done. */
export function useNameBasket() {
  const client = useQueryClient();
  const { uuid: owner } = useUser();
  return useMutation({
    mutationFn: async ({ uuid: basket, ...body }: BasketName & { uuid: string }) => {
      const params = { path: { basket } };
      const isSent = await sendOrKeep(
        async () => unwrap(await api.PUT("/baskets/{basket}/name", { params, body })),
        () => outbox.add(owner, { id: uuid4(), kind: "basket-name", basket, body }),
      );
      const named = { ...body, kind: "named" } as const;
      if (!isSent) {
        changeList(client, (saved) =>
          saved.map((one) => (one.uuid === basket ? { ...one, ...named } : one)),
        );
      }
      return isSent;
    },
    onSuccess: () => refreshList(client),
  });
}

/** Deletes a basket; without a connection as soon as there is one. */
export function useDeleteBasket() {
  const client = useQueryClient();
  const { uuid: owner } = useUser();
  return useMutation({
    meta: { onFailure: "alert" },
    mutationFn: async (saved: SavedBasket) => {
      const basket = saved.uuid;
      const params = { path: { basket } };
      const isSent = await sendOrKeep(
        async () => unwrap(await api.DELETE("/baskets/{basket}", { params })),
        () => outbox.add(owner, { id: uuid4(), kind: "basket-gone", basket, name: nameOf(saved) }),
      );
      if (!isSent) changeList(client, (shown) => shown.filter(({ uuid }) => uuid !== basket));
    },
    onSuccess: () => refreshList(client),
  });
}

/** Shows what is done only later. */
function changeList(
  client: QueryClient,
  change: (shown: readonly SavedBasket[]) => SavedBasket[],
): void {
  client.setQueryData<SavedBasket[]>(basketKeys.saved, (shown) => shown && change(shown));
}

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
