/** What was typed and is not sent: kept in this tab, and the bar over a page that it has come back to. */
import { find, findAll, linkButton, make } from "./elements";
import { t } from "./texts";

/** A name for the person who is signed in: whoever comes next in this tab has names of his own. */
function own(name: string): string {
  const { person } = document.querySelector<HTMLElement>("#user-tools .who")?.dataset ?? {};
  return person ? `${person}:${name}` : name;
}

/** What was typed on a page and is not sent, by name, until the tab is closed: the one store of these scripts. */
export const drafts = {
  /** Return what was kept, null for nothing and for what cannot be read. */
  read<Value>(name: string): Value | null {
    try {
      return JSON.parse(sessionStorage.getItem(own(name)) ?? "null");
    } catch {
      drafts.forget(name);
      return null;
    }
  },
  keep(name: string, value: unknown) {
    sessionStorage.setItem(own(name), JSON.stringify(value));
  },
  forget(name: string) {
    sessionStorage.removeItem(own(name));
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

/** Something that is not any more as it was when the page was typed into. */
export interface Change {
  name: string;
  what: string;
  before: string;
  now: string;
}

interface Notice {
  /** The moment of typing, in milliseconds. */
  at: number;
  /** What has changed since, and what that is called: `The stock`. Empty where nobody compared. */
  subject: string;
  changes: Change[];
  /** What could not be put back, by its name. */
  lost: string[];
  afresh: () => void;
}

/** Show the bar: `Restored what you typed at 10:42.`, each change, `Keep mine` and `Discard draft`. */
export function showRestored({ at, subject, changes, lost, afresh }: Notice) {
  const since = changes.length
    ? t("{subject} has changed since:", { subject })
    : t("Nothing has changed since.");
  const notice = subject ? since : t("It has not been sent.");
  // In the seller's time zone, as the rest of the page.
  const { zone } = document.querySelector<HTMLElement>("#user-tools .who")?.dataset ?? {};
  const style = { hour: "2-digit", minute: "2-digit", timeZone: zone } as const;
  const time = new Intl.DateTimeFormat("en-GB", style).format(at);
  const said = make("b", {}, t("Restored what you typed at {time}.", { time }));
  const head = make("p", { className: "head" }, said, ` ${notice}`);
  if (lost.length) head.append(` ${t("Not put back: {names}.", { names: lost.join(", ") })}`);
  const rows = changes.map(({ name, what, before, now }) =>
    make("li", {}, `${name}: ${what} `, make("del", {}, before), " → ", make("b", {}, now)),
  );
  const list = make("ul", { hidden: !rows.length }, ...rows);
  const keep = linkButton(t("Keep mine"), () => bar.remove());
  const anew = linkButton(t("Discard draft"), afresh);
  const actions = make("p", { className: "actions-row" }, keep, anew);
  const look = { className: "restored", role: "status", ariaLabel: t("Restored") };
  const bar = make("section", look, head, list, actions);
  find("#content .page-head").after(bar);
}

/** The ticked credits of a statement, over all its pages: choices with their amounts, kept in this tab. */
export interface Tick {
  /** The credit with its proposal, as the form sends it. */
  choice: string;
  amount: string;
}

export class Ticks {
  /** The amount of each choice that was shown, null for one that is not ticked: what a page ticks at first, it ticks once. */
  private readonly shown: Map<string, string | null>;

  /** `key` names the statement; an empty one keeps nothing. */
  constructor(private readonly key: string) {
    this.shown = new Map(drafts.read<[string, string | null][]>(key));
  }

  /** Show a page's boxes as they were left; a box that is new keeps what the server gave it. */
  follow(boxes: HTMLInputElement[]) {
    for (const box of boxes) {
      const before = this.shown.get(box.value);
      if (before !== undefined) box.checked = before !== null;
      this.take(box);
    }
  }

  /** Take what a box says. */
  take(box: HTMLInputElement) {
    this.set({ choice: box.value, amount: box.dataset.amount ?? "" }, box.checked);
  }

  set({ choice, amount }: Tick, isTicked: boolean) {
    this.shown.set(choice, isTicked ? amount : null);
    if (this.key) drafts.keep(this.key, [...this.shown]);
  }

  amounts(): string[] {
    return [...this.shown.values()].filter((amount) => amount !== null);
  }

  /** Put the ticks of other pages into the form that is sent, and forget them all. */
  send(form: HTMLFormElement, boxes: HTMLInputElement[]) {
    for (const [value, amount] of this.shown) {
      if (amount === null || boxes.some((box) => box.value === value)) continue;
      form.append(make("input", { type: "hidden", name: "book", value }));
    }
    if (this.key) drafts.forget(this.key);
  }
}
