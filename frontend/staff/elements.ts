/** Elements that a page's template is known to have. */

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

/** Return a new element with a class and a text. */
export function make<K extends keyof HTMLElementTagNameMap>(tag: K, className: string, text = "") {
  return Object.assign(document.createElement(tag), { className, textContent: text });
}

/** Return a new button that looks like a link. */
export function linkButton(text: string, press: () => void): HTMLButtonElement {
  const button = make("button", "link-button", text);
  button.type = "button";
  button.addEventListener("click", press);
  return button;
}

/** An option of a list of suggestions. */
export function suggestion(value: string, label: string): HTMLOptionElement {
  return Object.assign(document.createElement("option"), { value, label });
}

/** Return the letter of a key in lower case, Hangul's by the key's place; other keys have their own name. */
export function letterOf({ key, code }: KeyboardEvent): string {
  if (/^[a-z]$/i.test(key)) return key.toLowerCase();
  return /^Key[A-Z]$/.test(code) ? code.slice(3).toLowerCase() : key;
}
