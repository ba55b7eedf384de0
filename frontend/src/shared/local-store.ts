import { createStore, del, delMany, entries, get, set, type UseStore, update } from "idb-keyval";

/**
 * What a buyer typed and has not sent, in IndexedDB under the buyer's uuid: sign-out and expiry empty local storage. Load
 * it lazily. Where the browser has no IndexedDB, nothing is kept.
 */
let opened: UseStore | undefined;
const store = (): UseStore => {
  opened ??= createStore("portal", "kept");
  return opened;
};

const key = (owner: string, name: string) => `${owner}:${name}`;

/** Values by a buyer's uuid and a name. Each is async: where there is no IndexedDB, opening it throws. */
export const localStore = {
  get: async <Value>(owner: string, name: string): Promise<Value | undefined> =>
    get<Value>(key(owner, name), store()),
  set: async (owner: string, name: string, value: unknown): Promise<void> =>
    set(key(owner, name), value, store()),
  /** Changes a value that another tab may change as well. */
  update: async <Value>(
    owner: string,
    name: string,
    change: (before: Value | undefined) => Value,
  ): Promise<void> => update<Value>(key(owner, name), change, store()),
  remove: async (owner: string, name: string): Promise<void> => del(key(owner, name), store()),
  /** Removes what is meant by its name and value, whoever's it is. */
  async removeWhere(isMeant: (name: string, value: unknown) => boolean): Promise<void> {
    const all = await entries<string, unknown>(store());
    const matching = all.filter(([id, value]) => isMeant(id.slice(id.indexOf(":") + 1), value));
    await delMany(
      matching.map(([id]) => id),
      store(),
    );
  },
};

/** Does work in one tab of this browser at a time, where the browser can say so. */
export async function alone<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  return navigator.locks ? await navigator.locks.request(name, work) : await work();
}
