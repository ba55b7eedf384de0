import { useMutation, useQueryClient } from "@tanstack/react-query";
import type { Schemas } from "@/api/client";
import { sendOrKeep } from "@/api/outbox";
import { useUser } from "@/api/session";
import type { BasketLine } from "@/domain/basket";
import { shortMoment } from "@/domain/figures";
import { uuid4 } from "@/domain/uuid";
import { connection } from "@/shared/online";
import type { NewEntry } from "@/shared/outbox";
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

type Change = Extract<NewEntry, { kind: "basket" | "basket-name" | "basket-gone" }>;
type WithoutId<One> = One extends unknown ? Omit<One, "id"> : never;

/** Saves, names, shares or deletes a basket; without a connection as soon as there is one. Answers whether it is done. */
export function useChangeBasket(meta?: { onFailure: "alert" }) {
  const client = useQueryClient();
  const { uuid: owner } = useUser();
  return useMutation({
    ...(meta && { meta }),
    mutationFn: async (change: WithoutId<Change>) => {
      const isSent = await sendOrKeep(owner, { id: uuid4(), ...change });
      // Shown already, though it is done only later.
      if (!isSent && change.kind !== "basket") {
        client.setQueryData<SavedBasket[]>(basketKeys.saved, (baskets) =>
          baskets?.flatMap((one) => {
            if (one.uuid !== change.basket) return one;
            return change.kind === "basket-gone" ? [] : { ...one, ...change.body, kind: "named" };
          }),
        );
      }
      return isSent;
    },
    onSuccess: async () => {
      if (!connection.isOnline()) return;
      void client.invalidateQueries({ queryKey: accountKeys.counts });
      await client.invalidateQueries({ queryKey: basketKeys.saved });
    },
  });
}

/** Keeps a basket that is about to be emptied or replaced, and returns what it is called; nothing for an empty one. */
export function useKeepFormer() {
  const { mutate } = useChangeBasket();
  return (kind: FormerKind, lines: readonly BasketLine[]): string => {
    if (lines.length === 0) return "";
    const name = formerName(kind, new Date());
    // Beside the Undo of what has taken its place, which is all that is left of it.
    const lost = () => toast(`“${name}” could not be saved.`, toasts.current()?.undo);
    const body = { kind, name: "", is_shared: 0 as const, lines: [...lines] };
    mutate({ kind: "basket", body }, { onError: lost });
    return ` Kept as “${name}”.`;
  };
}
