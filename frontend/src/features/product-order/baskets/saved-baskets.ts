import { type QueryClient, queryOptions, useMutation, useQueryClient } from "@tanstack/react-query";
import { useCallback } from "react";
import { api, unwrap } from "@/api/client";
import type { components } from "@/api/schema.gen";
import { sendOrKeep } from "@/api/send-or-keep";
import { useUser } from "@/api/session";
import type { BasketLine } from "@/domain/basket";
import { counted } from "@/domain/units";
import { uuid4 } from "@/domain/uuid";
import { shortMoment } from "@/shared/dates";
import { connection } from "@/shared/online";
import { type BasketName, outbox } from "@/shared/outbox";
import { accountKeys, basketKeys } from "@/shared/query-keys";
import { confirm } from "@/shared/ui/alerts";
import { toast, toasts } from "@/shared/ui/toasts";

export type SavedBasket = components["schemas"]["SavedBasketItem"];
export type FormerKind = Exclude<SavedBasket["kind"], "named">;

const FORMER: Readonly<Record<FormerKind, string>> = {
  reset: "Before Reset",
  recent: "Before Recent Orders",
  replaced: "Before another basket",
  removed: "Before removing",
  cancelled: "Before cancel",
};

/** `Before Reset, 15:12`, with the day where that is not today. */
function formerName(kind: FormerKind, at: Date): string {
  return `${FORMER[kind]}, ${shortMoment(at)}`;
}

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

interface ToSave {
  readonly kind: "named" | FormerKind;
  readonly name?: string;
  readonly is_shared?: 0 | 1;
  readonly lines: readonly BasketLine[];
}

/**
 * Puts a basket by under a uuid of its own, as soon as there is a connection: a repeat saves nothing twice. Answers whether
 * it is there already.
 */
export function useSaveBasket() {
  const client = useQueryClient();
  const { uuid: owner } = useUser();
  return useMutation({
    mutationFn: async ({ kind, name = "", is_shared = 0, lines }: ToSave) => {
      const body = { kind, name, is_shared, lines: [...lines] };
      const id = uuid4();
      const params = { path: { basket: id } };
      return sendOrKeep(
        async () => unwrap(await api.PUT("/baskets/{basket}", { params, body })),
        () => outbox.add(owner, { id, kind: "basket", body }),
      );
    },
    onSuccess: () => refreshList(client),
  });
}

/** Keeps a basket that is about to be emptied or replaced, and returns what it is called; nothing for an empty one. */
export function useKeepFormer() {
  const { mutate } = useSaveBasket();
  return useCallback(
    (kind: FormerKind, lines: readonly BasketLine[]): string => {
      if (lines.length === 0) return "";
      const name = formerName(kind, new Date());
      // Beside the Undo of what has taken its place, which is all that is left of it.
      const lost = () => toast(`“${name}” could not be saved.`, toasts.current()?.undo);
      mutate({ kind, lines }, { onError: lost });
      return ` Kept as “${name}”.`;
    },
    [mutate],
  );
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

/** Asks for the list anew, where somebody answers. */
async function refreshList(client: QueryClient): Promise<void> {
  if (!connection.isOnline()) return;
  void client.invalidateQueries({ queryKey: accountKeys.counts });
  await client.invalidateQueries({ queryKey: basketKeys.saved });
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
