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

/** Where a page of an order goes back to once a text of it is sent. */
const SENT = "#messages";

/** Put back what was typed into a text with `data-draft`, and keep what is typed from now on. */
export function keepDraft(text: HTMLTextAreaElement) {
  const place = `draft:${text.dataset.draft}`;
  if (location.hash === SENT) {
    drafts.forget(place);
    history.replaceState(history.state, "", location.pathname + location.search);
  }
  text.value ||= drafts.read<string>(place) ?? "";
  text.addEventListener("input", () => {
    if (text.value) drafts.keep(place, text.value);
    else drafts.forget(place);
  });
}
