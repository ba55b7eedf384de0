/** Elements that a page's template is known to have. */

/** What is filled in. */
export type Field = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement;

/** Return the first element of a selector. It throws where the template and the script do not agree. */
export function find<E extends Element = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): E {
  const element = within.querySelector<E>(selector);
  if (!element) throw new Error(`The page has no ${selector}`);
  return element;
}

/** Return all elements of a selector. */
export function findAll<E extends Element = HTMLElement>(
  selector: string,
  within: ParentNode = document,
): E[] {
  return [...within.querySelectorAll<E>(selector)];
}

/** Return the field so many steps down the column of a sheet, whose fields have one class; up for fewer than none. */
export function inColumn(field: HTMLInputElement, steps: number): HTMLInputElement | undefined {
  const column = findAll<HTMLInputElement>(`input.${field.className}`, field.form ?? document);
  return column[column.indexOf(field) + steps];
}

/** Start every element of a selector; a page may have none. */
export function startAt<E extends Element>(selector: string, start: (element: E) => void) {
  for (const element of findAll<E>(selector)) start(element);
}

/** Put a value into an empty field; one that has the focus is left to whoever types there. */
export function suggest(field: HTMLInputElement, value: string) {
  if (field !== document.activeElement) field.value ||= value;
}

/** Return whether the page is as narrow as a phone's, where tables are cards (pages.css, packing.css). */
export const isNarrow = (): boolean => window.matchMedia?.("(max-width: 700px)").matches ?? false;

/** Set a text where it differs: a live region speaks only of what has changed. */
export function setText(place: Element, text: string) {
  if (place.textContent !== text) place.textContent = text;
}

/** Set the text of every place that shows a total. */
export function showTotal(name: string, text: string) {
  for (const place of findAll(`:not(form)[data-total="${name}"]`)) setText(place, text);
}

/** Return a function that runs `action` once it has not been called for a while. */
export function later(action: () => void, milliseconds: number): () => void {
  let waiting = 0;
  return () => {
    window.clearTimeout(waiting);
    waiting = window.setTimeout(action, milliseconds);
  };
}

/** Ask before the page is left while `isChanged`: nothing typed is lost. */
export function askBeforeLeaving(isChanged: () => boolean) {
  window.addEventListener("beforeunload", (event) => {
    if (isChanged()) event.preventDefault();
  });
}

/** Ask before the page of a form is left that was typed into and is not sent. Return what notes a change. */
export function guardTyped(form: HTMLFormElement): () => void {
  let changed = Boolean(document.querySelector(".errornote"));
  const touched = () => {
    changed = true;
  };
  form.addEventListener("input", touched);
  form.addEventListener("submit", () => {
    changed = false;
  });
  askBeforeLeaving(() => changed);
  return touched;
}

/** Return a new element with its properties and what is in it. */
export function make<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  properties: Partial<HTMLElementTagNameMap[K]>,
  ...content: (Node | string)[]
): HTMLElementTagNameMap[K] {
  const element = Object.assign(document.createElement(tag), properties);
  element.append(...content);
  return element;
}

/** Return a new button that looks like a link. */
export const linkButton = (text: string, onclick: () => void): HTMLButtonElement =>
  make("button", { type: "button", className: "link-button", onclick }, text);

/** Return the letter of a key in lower case, Hangul's by the key's place; other keys have their own name. */
export function letterOf({ key, code }: KeyboardEvent): string {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  return /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : key;
}
