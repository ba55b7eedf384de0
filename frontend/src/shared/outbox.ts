import type { components } from "@/api/schema.gen";
import { listenersOf } from "@/domain/listeners";
import { localStore } from "./local-store";

/** What goes up later, once: `id` is the key under which it may be repeated. */
export type Waiting = {
  readonly id: string;
  /** When it was sent, in milliseconds since 1970. */
  readonly at: number;
} & (
  | { readonly kind: "message" | "shipping"; readonly invoiceCode: string; readonly text: string }
  | { readonly kind: "basket"; readonly body: SavedBasket }
  | { readonly kind: "basket-name"; readonly basket: string; readonly body: BasketName }
  | { readonly kind: "basket-gone"; readonly basket: string; readonly name: string }
);

export type BasketName = components["schemas"]["BasketNameRequest"];

/** A basket that is put by: under a name, or from before something took its place. */
export type SavedBasket = components["schemas"]["BasketToSaveRequest"];

/** What is older is sent no more, as a draft comes back no more. */
const LIFE_MS = 7 * 24 * 60 * 60 * 1000;
export const isTooOld = ({ at }: Waiting): boolean => Date.now() - at > LIFE_MS;

type WithoutTime<One> = One extends unknown ? Omit<One, "at"> : never;
export type NewEntry = WithoutTime<Waiting>;

const WAITING = "outbox";

const listeners = listenersOf();

async function change(owner: string, by: (before: readonly Waiting[]) => readonly Waiting[]) {
  await localStore.update<readonly Waiting[]>(owner, WAITING, (before = []) => by(before));
  listeners.tell();
}

/** What waits, by the buyer's uuid. In IndexedDB: it outlives the session and the browser's tab. */
export const outbox = {
  list: async (owner: string): Promise<readonly Waiting[]> =>
    (await localStore.get<readonly Waiting[]>(owner, WAITING)) ?? [],
  add: (owner: string, entry: NewEntry): Promise<void> =>
    change(owner, (before) => [
      ...before.filter(({ id }) => id !== entry.id),
      { ...entry, at: Date.now() } as Waiting,
    ]),
  remove: (owner: string, item: { readonly id: string }): Promise<void> =>
    change(owner, (before) => before.filter(({ id }) => id !== item.id)),
  subscribe: listeners.subscribe,
};
