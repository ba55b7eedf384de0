/** Enter in a staff form. It never sends: it goes to the next row of a grid, elsewhere to the next field. */
import { type Field, startAt } from "./elements";

const OTHERS = ["hidden", "submit", "button", "reset", "image", "file"];
const FIELDS = `select, textarea, input:not(${OTHERS.map((type) => `[type=${type}]`)})`;
const BUTTONS = "button:not([type=button], [type=reset]), input[type=submit]";

/** Follow Enter on the whole page, but for forms that only ask and those that say `data-enter="send"`. */
export function startEnter() {
  // Before the page's own scripts see it: the editor of a notice would begin a line.
  document.addEventListener("keydown", onCtrlEnter, { capture: true });
  document.addEventListener("keydown", (event) => {
    const field = fieldOf(event.target);
    if (event.key !== "Enter" || event.defaultPrevented || !field || field.tagName === "TEXTAREA")
      return;
    if (!sends(field.form)) return;
    event.preventDefault();
    nextField(field, field.form)?.focus();
  });
}

function onCtrlEnter(event: KeyboardEvent) {
  if (event.key !== "Enter" || !(event.ctrlKey || event.metaKey)) return;
  event.preventDefault();
  event.stopPropagation();
  if (!event.repeat) primaryButton(event.target)?.click();
}

function fieldOf(target: EventTarget | null): Field | null {
  return target instanceof Element && target.matches(FIELDS) ? (target as Field) : null;
}

function sends(form: HTMLFormElement | null): form is HTMLFormElement {
  return form?.method === "post" && form.dataset.enter !== "send";
}

/** Return what Ctrl Enter presses: the form's primary button or its only one, never a red one. */
function primaryButton(target: EventTarget | null): HTMLElement | undefined {
  if (!(target instanceof Element) || !target.closest(`${FIELDS}, [contenteditable]`)) return;
  const form = fieldOf(target)?.form ?? target.closest("form");
  if (!form || form.dataset.enter === "send") return;
  const buttons = [...form.elements].filter(
    (element): element is HTMLElement => element.matches(BUTTONS) && element.checkVisibility(),
  );
  const primary = buttons.find((button) => button.matches(".primary"));
  if (primary || buttons.length > 1) return primary;
  return buttons.find((button) => !button.matches(".danger"));
}

function nextField(field: Field, form: HTMLFormElement): HTMLElement | undefined {
  const cell = field.closest<HTMLTableCellElement>("table.sheet td");
  if (cell) {
    const after = cell.closest<HTMLElement>("[data-then]")?.dataset.then; // what is filled in after this grid
    const next = after ? document.getElementById(after) : null;
    return below(cell, field.tagName) ?? next ?? undefined;
  }
  const fields = [...form.elements].filter(
    (element): element is Field => element.matches(FIELDS) && element.checkVisibility(),
  );
  const isOther = (other: Field) => other === field || other.name !== field.name || !field.name;
  const stops = fields.filter((other) => !other.disabled && isOther(other));
  return stops[stops.indexOf(field) + 1];
}

/** Return the field of the same column in the nearest row below. */
function below(cell: HTMLTableCellElement, tag: string): HTMLElement | undefined {
  const row = cell.closest("tr");
  const rows = [...(row?.parentElement?.children ?? [])] as HTMLTableRowElement[];
  return rows
    .slice(rows.indexOf(row as HTMLTableRowElement) + 1)
    .map((other) => other.cells[cell.cellIndex]?.querySelector<HTMLElement>(tag))
    .find((field) => field?.checkVisibility()) as HTMLElement | undefined;
}

/** What is sent once alone; a list may be sent again, because an export leaves it where it is. */
const FORMS = "main form[method=post]:not(#changelist-form)";

/** Follow every form of the page, after its own scripts: what they hold back, to save it first, is not sent yet. */
export function sendOnce() {
  document.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (event.defaultPrevented || !form.matches(FORMS)) return;
    if (form.dataset.sent) event.preventDefault();
    form.dataset.sent = "1";
  });
  window.addEventListener("pageshow", () => {
    startAt<HTMLFormElement>("form[data-sent]", (form) => delete form.dataset.sent);
  });
}
