import { findAll } from "./elements";

/** What was typed on a page and is not sent, by name, until the tab is closed: the one store of these scripts. */
export const drafts = {
  /** Return what was kept, null for nothing and for what cannot be read. */
  read<Value>(name: string): Value | null {
    try {
      return JSON.parse(sessionStorage.getItem(name) ?? "null");
    } catch {
      drafts.forget(name);
      return null;
    }
  },
  keep(name: string, value: unknown) {
    sessionStorage.setItem(name, JSON.stringify(value));
  },
  forget(name: string) {
    sessionStorage.removeItem(name);
  },
};

/** Forget what was sent from this tab, where a page says that it has arrived. */
export function forgetArrived() {
  for (const { dataset } of findAll("[data-arrived]")) {
    const name = dataset.arrived ?? "";
    if (drafts.read<{ sent?: boolean }>(name)?.sent) drafts.forget(name);
  }
}
