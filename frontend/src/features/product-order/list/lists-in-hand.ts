/** Lists that were sent and are not in the basket yet: a long one is being read, any waits for the rest of its review. */
import { type QueryClient, queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import type { components } from "@/api/schema.gen";
import { count, counted } from "@/domain/units";
import { shortMoment } from "@/shared/dates";
import { drafts } from "@/shared/drafts";
import { listKeys } from "@/shared/query-keys";
import { toast, toasts } from "@/shared/ui/toasts";
import { draftOf, sendDrafted } from "./kept-decisions";

export type ListInHand = components["schemas"]["ListInHand"];

const LOOK_MS = 2000;
const LOOK_CLOSELY_MS = 1000;
/** A little longer than its toast can be undone. */
const DROP_MS = 11_000;
const dropped = new Set<string>();
/** What is dropped once its toast is gone: does so at once. */
const drops = new Set<() => Promise<void>>();

/** Whether its review is still to come. */
export function isComing({ state }: ListInHand): boolean {
  return state === "waiting" || state === "reading" || state === "looking_up";
}

/** How far it is, behind its name. */
export function standOf({ state, rows, rows_read, decided, remark }: ListInHand): string {
  if (state === "waiting") return "waits to be read";
  if (state === "reading") return `${count(rows_read)} of ${count(rows)} rows read`;
  if (state === "looking_up") return "looking up the products";
  if (state === "refused") return remark;
  return decided > 0 ? "your answers are kept" : "ready to be checked";
}

/** What tells lists of one name apart: `12 rows, sent 15:12`. */
export function factsOf({ rows, sent_at }: ListInHand): string {
  const large = rows > 0 ? `${counted(rows, "row")}, ` : "";
  return `${large}sent ${shortMoment(new Date(sent_at))}`;
}

/** The buyer's lists in hand, the newest first; looked at again while one is being read. */
export const listsInHand = () =>
  queryOptions({
    queryKey: listKeys.all,
    meta: { onFailure: "log" },
    staleTime: 0,
    queryFn: async ({ signal }) => {
      const { lists } = unwrap(await api.GET("/basket/lists", { signal }));
      return lists.filter(({ uuid }) => !dropped.has(uuid));
    },
    refetchInterval: ({ state }) => (state.data?.some(isComing) ? LOOK_MS : false),
  });

/** A list in hand, with its review once it is read and all that was decided of it, on whatever device. */
export const openedList = (owner: string, uuid: string) =>
  queryOptions({
    queryKey: listKeys.one(uuid),
    meta: { onFailure: "log" },
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => {
      await sendDrafted(owner, uuid);
      const params = { path: { list_uuid: uuid } };
      return unwrap(await api.GET("/basket/lists/{list_uuid}", { params, signal }));
    },
    refetchInterval: ({ state }) =>
      state.data && isComing(state.data.list) ? LOOK_CLOSELY_MS : false,
  });

/** Drops a list: its lines are in the basket, or it could not be read. Holds when the page is left meanwhile. */
export async function dropList(client: QueryClient, owner: string, uuid: string): Promise<void> {
  void drafts.forget(owner, draftOf(uuid));
  const params = { path: { list_uuid: uuid } };
  await api.DELETE("/basket/lists/{list_uuid}", { params, keepalive: true });
  await client.invalidateQueries({ queryKey: listKeys.all });
}

/** The same by the buyer's wish; it can be undone, until the page is left. */
export function dropWithUndo(client: QueryClient, owner: string, { uuid, name }: ListInHand): void {
  const refresh = () => client.invalidateQueries({ queryKey: listKeys.all });
  const settle = () => {
    clearTimeout(timer);
    window.removeEventListener("pagehide", drop);
    drops.delete(drop);
  };
  const drop = () => {
    settle();
    return dropList(client, owner, uuid).catch(() => undefined);
  };
  dropped.add(uuid);
  drops.add(drop);
  void refresh();
  const timer = setTimeout(drop, DROP_MS);
  window.addEventListener("pagehide", drop);
  toast(`${name} dropped.`, () => {
    settle();
    dropped.delete(uuid);
    void refresh();
  });
}

/** Drops what still can be undone: it makes room for a list that is sent now. */
export async function finishDrops(): Promise<void> {
  if (drops.size === 0) return;
  toasts.dismiss();
  await Promise.all([...drops].map((drop) => drop()));
}
