import { type QueryClient, useMutation, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "@/api/client";
import { sendOrKeep } from "@/api/outbox";
import { useUser } from "@/api/session";
import type { BasketLine } from "@/domain/basket";
import { shortMoment } from "@/domain/figures";
import { uuid4 } from "@/domain/uuid";
import { connection } from "@/shared/online";
import type { BasketName } from "@/shared/outbox";
import { accountKeys, basketKeys } from "@/shared/query-keys";
import { toast, toasts } from "@/shared/ui/toasts";

export type SavedBasket = Schemas["SavedBasketItem"];
export type FormerKind = Exclude<SavedBasket["kind"], "named">;

const FORMER: Readonly<Record<FormerKind, string>> = {
  reset: "Before Reset",
  recent: "Before Recent Orders",
  replaced: "Before another basket",
  removed: "Before removing",
  cancelled: "Before cancel",
};

/** `Before Reset, 15:12`, with the day where that is not today. */
export function formerName(kind: FormerKind, at: Date): string {
  return `${FORMER[kind]}, ${shortMoment(at)}`;
}

type ToSave = Partial<BasketName> & {
  readonly kind: SavedBasket["kind"];
  readonly lines: readonly BasketLine[];
};

/** Puts a basket by under a uuid of its own, so that a repeat saves nothing twice. Answers whether it is there. */
export function useSaveBasket() {
  const client = useQueryClient();
  const { uuid: owner } = useUser();
  return useMutation({
    mutationFn: async ({ kind, name = "", is_shared = 0, lines }: ToSave) => {
      const body = { kind, name, is_shared, lines: [...lines] };
      return sendOrKeep(owner, { id: uuid4(), kind: "basket", body });
    },
    onSuccess: () => refreshList(client),
  });
}

/** Keeps a basket that is about to be emptied or replaced, and returns what it is called; nothing for an empty one. */
export function useKeepFormer() {
  const { mutate } = useSaveBasket();
  return (kind: FormerKind, lines: readonly BasketLine[]): string => {
    if (lines.length === 0) return "";
    const name = formerName(kind, new Date());
    // Beside the Undo of what has taken its place, which is all that is left of it.
    const lost = () => toast(`“${name}” could not be saved.`, toasts.current()?.undo);
    mutate({ kind, lines }, { onError: lost });
    return ` Kept as “${name}”.`;
  };
}

/** Asks for the list anew, where somebody answers. */
export async function refreshList(client: QueryClient): Promise<void> {
  if (!connection.isOnline()) return;
  void client.invalidateQueries({ queryKey: accountKeys.counts });
  await client.invalidateQueries({ queryKey: basketKeys.saved });
}
