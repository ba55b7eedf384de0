/** The bar over a page that what was typed has come back to: when it was typed, what has changed since. */
import { find, linkButton, make } from "./elements";
import { t } from "./texts";

/** Something that is not any more as it was when the page was typed into; `target` is the field to look at. */
export interface Change {
  name: string;
  what: string;
  before: string;
  now: string;
  typed: string;
  target: HTMLElement | null;
}

interface Told {
  /** The moment of typing, in milliseconds. */
  at: number;
  /** What has changed since, and what that is called: `The stock`. Empty where nobody compared. */
  subject: string;
  changes: Change[];
  /** What could not be put back, by its name. */
  lost: string[];
  afresh: () => void;
}

/** Show the bar: `Restored what you typed at 10:42.`, each change with a link, `Keep mine` and `Discard draft`. */
export function showRestored({ at, subject, changes, lost, afresh }: Told) {
  const bar = make("section", "restored");
  bar.setAttribute("role", "status");
  bar.setAttribute("aria-label", t("Restored"));
  const head = make("p", "head");
  const told = changes.length
    ? t("{subject} has changed since:", { subject })
    : t("Nothing has changed since.");
  head.append(
    make("b", "", t("Restored what you typed at {time}.", { time: clock(at) })),
    subject && ` ${told}`,
  );
  if (lost.length) head.append(` ${t("Not put back: {names}.", { names: lost.join(", ") })}`);
  const keep = linkButton(t("Keep mine"), () => bar.remove());
  const anew = linkButton(t("Discard draft"), afresh);
  const actions = make("p", "actions-row");
  actions.append(keep, anew);
  bar.append(head, list(changes), actions);
  find("#content .page-head").after(bar);
}

function list(changes: Change[]): HTMLElement {
  const rows = changes.map(({ name, what, before, now, typed, target }) => {
    const row = document.createElement("li");
    row.append(
      `${name}: ${what} `,
      make("del", "", before),
      " → ",
      make("b", "", now),
      typed ? `${t(", you typed {typed}", { typed })} ` : " ",
    );
    if (target) row.append(linkButton(t("to the line"), () => target.focus()));
    return row;
  });
  const all = document.createElement("ul");
  all.hidden = !rows.length;
  all.append(...rows);
  return all;
}

/** Return a time of day in the seller's time zone, as the rest of the page has it. */
function clock(at: number): string {
  const { zone } = document.querySelector<HTMLElement>("#user-tools .who")?.dataset ?? {};
  const style = { hour: "2-digit", minute: "2-digit", timeZone: zone } as const;
  return new Intl.DateTimeFormat("en-GB", style).format(at);
}
