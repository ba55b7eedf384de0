/** What was typed into a form that could not be sent: kept in this tab, put back into the page when it is opened anew. */
import { drafts, showRestored } from "./drafts";
import { type Field, find, findAll } from "./elements";

export type Pair = [name: string, value: string];
interface StoredForm {
  at: number;
  fields: Pair[];
}

/** Names that Django's own forms add, of which nobody has typed anything. */
const OWN =
  /^(csrfmiddlewaretoken|initial-.*|_.*|version|seen|.*-(TOTAL|INITIAL|MIN_NUM|MAX_NUM)_FORMS)$/;

const keyOf = (page: string) => `typed:${page}`;

/** Keep the fields of a page (its path and query) for the time when it is opened again. */
export function keepTyped(page: string, fields: Pair[]) {
  drafts.keep(keyOf(page), { at: Date.now(), fields } satisfies StoredForm);
}

const SENT = "sent";
const SIGN_IN = /\/(login|second-factor)\/$/;

/** Keep what is sent till the next page: where a sign-in comes between, it did not arrive. */
export function keepSent() {
  document.addEventListener("submit", ({ target }) => {
    const form = target as HTMLFormElement;
    const isSecret = form.querySelector("[type=password]");
    if (form.method !== "post" || isSecret || !fieldsOf(form).some(isChanged)) return;
    drafts.keep(SENT, { page: here(), at: Date.now(), fields: textsOf(form) });
  });
}

/** Return what was sent from this page and met a sign-in; what was sent before is forgotten. */
function sentInVain(): StoredForm | null {
  const sent = drafts.read<StoredForm & { page: string }>(SENT);
  drafts.forget(SENT);
  const from = document.referrer && new URL(document.referrer).pathname;
  return sent?.page === here() && SIGN_IN.test(from) ? sent : null;
}

const here = () => location.pathname + location.search;

/** Return what the fields of a form send, files aside. */
export const textsOf = (form: HTMLFormElement) =>
  [...new FormData(form)].filter((pair): pair is Pair => typeof pair[1] === "string");

/** Where a button or link that leads away is pressed, keep what was typed till the page comes back. */
export function keepTypedAt(leaving: HTMLElement) {
  leaving.addEventListener("click", () => {
    const form = leaving.closest("form");
    if (!form || !fieldsOf(form).some(isChanged)) return;
    keepTyped(location.pathname, textsOf(form));
  });
}

/** A form that is older than the sign-in: its page is opened again with what was typed. */
export function reopenTyped(form: HTMLFormElement) {
  const areas = findAll<HTMLTextAreaElement>("textarea", form);
  for (const word of findAll(".scripted", form)) word.hidden = false;
  find("#reopen", form).addEventListener("click", () => {
    const fields = areas.map(({ name, value }): Pair => [name, value]);
    if (areas.length) keepTyped(form.dataset.page ?? "", fields);
  });
}

function isChanged(field: Field): boolean {
  if (field instanceof HTMLSelectElement) {
    const options = [...field.options];
    const isGiven = field.multiple || options.some(({ defaultSelected }) => defaultSelected);
    const first = isGiven ? undefined : options[0];
    return options.some((one) => one.selected !== (one.defaultSelected || one === first));
  }
  const isTicked = field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type);
  return isTicked ? field.checked !== field.defaultChecked : field.value !== field.defaultValue;
}

/** Put back what was kept for this page, and say so. Sheets that keep their input themselves are left alone. */
export function restoreTyped() {
  const key = keyOf(here());
  const sent = sentInVain();
  const stored = drafts.read<StoredForm>(key) ?? sent;
  drafts.forget(key);
  const names = new Set(stored?.fields.map(([name]) => name));
  const known = (form: HTMLFormElement) =>
    fieldsOf(form).filter((field) => names.has(field.name)).length;
  // The form that has most of the fields.
  const [form] = findAll<HTMLFormElement>("main form[method=post]")
    .filter(known)
    .sort((one, other) => known(other) - known(one));
  if (!stored || !form || form.dataset.key) return;
  const lost = fill(form, stored.fields);
  showRestored({ at: stored.at, subject: "", changes: [], lost, afresh: () => location.reload() });
}

function fieldsOf(form: HTMLFormElement): Field[] {
  return [...form.elements].filter(
    (element): element is Field =>
      element.matches("input:not([type=file], [type=submit]), select, textarea") &&
      (element as Field).name !== "csrfmiddlewaretoken",
  );
}

/** Fill a form and return the names of what has no place in it. */
export function fill(form: HTMLFormElement, pairs: Pair[]): string[] {
  const values = new Map<string, string[]>();
  for (const [name, value] of pairs) values.set(name, [...(values.get(name) ?? []), value]);
  const lost = new Set([...values.keys()].filter((name) => !OWN.test(name)));
  for (const field of fieldsOf(form)) {
    const texts = values.get(field.name);
    if (fillField(field, texts ?? [])) lost.delete(field.name);
  }
  form.dispatchEvent(new Event("input", { bubbles: true }));
  form.dispatchEvent(new Event("change", { bubbles: true }));
  return [...lost].map((name) => name.replaceAll(/[-_]/g, " "));
}

/** Put its values into a field; return whether it takes them. A tick that was not sent was not set. */
function fillField(field: Field, values: string[]): boolean {
  if (field instanceof HTMLInputElement && /^(checkbox|radio)$/.test(field.type)) {
    field.checked = values.includes(field.value);
    return field.checked;
  }
  if (field instanceof HTMLSelectElement) {
    const options = [...field.options];
    const areOptions = values.every((value) => options.some((option) => option.value === value));
    if (!areOptions || !(values.length || field.multiple)) return false;
    for (const option of options) option.selected = values.includes(option.value);
    return true;
  }
  const [value] = values.splice(0, 1);
  if (value === undefined) return false;
  field.value = value;
  return true;
}
