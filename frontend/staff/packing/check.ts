/** What the server says of the sheet while it is filled in: sums, names, faults at cells, what is missing. */
import { isSignedOut, post } from "../answers";
import { find, findAll, later, make, setText, showTotal } from "../elements";
import { t } from "../texts";
import { BOX } from "./cells";
import { isMissing, type Line } from "./compared";
import { fold } from "./fold";
import { begins, columnOf, contents, filledRows, gridRows, input, NAMES, value } from "./grid";

/** The answer, as apps/orders/admin/packing_sheet.py gives it. */
export interface Check {
  rows: RowCheck[];
  /** What is wrong with a cell, by `row-column`. */
  cells: Record<string, string>;
  totals: Record<string, string>;
  compared: Line[];
  /** Their rows as HTML, which the page itself brings at first. */
  compared_rows?: string;
  missing: string[];
  is_unusual: boolean;
  may_complete: boolean;
  told: string;
}
interface RowCheck {
  box: string;
  name: string;
  differs: boolean;
}

const PAUSE = 250;
const SLOW = 1500;
const AGAIN = 5000;
const NO_ANSWER = t(
  "The server does not answer, so the sheet is not checked. What you typed is kept in this tab.",
);

const SIGNED_OUT = t(
  "Your sign-in is over, so the sheet is not checked. What you typed is kept: open the page again.",
);

let latest: Check | null = null;
/** Something was typed that the server has not answered yet. */
let waits = false;

/** Ask the server about the sheet; where it does not answer, say so and ask again. */
async function check(form: HTMLFormElement) {
  const request = fields();
  const isCurrent = () => JSON.stringify(request) === JSON.stringify(fields());
  const slow = setTimeout(() => tell(t("Checking what you typed…")), SLOW);
  const answer = await post<Check>(form.dataset.check ?? "", request, form);
  clearTimeout(slow);
  if (!isCurrent()) return; // typed on: the next question is under way
  waits = false;
  if (answer) {
    showCheck(answer);
    return;
  }
  tell(isSignedOut ? SIGNED_OUT : NO_ANSWER);
  setComplete(false);
  setTimeout(() => {
    if (isCurrent()) check(form);
  }, AGAIN);
}

function fields(): Record<string, string> {
  const tick = find<HTMLInputElement>("#id_weight_is_right");
  return { rows: contents(), ...(tick.checked && { weight_is_right: "on" }) };
}

/** Return what asks the server after a short pause. */
export function startCheck(form: HTMLFormElement): () => void {
  document.addEventListener("focusin", () => latest && showRowChecks(latest));
  form.addEventListener("submit", (event) => {
    // Pressed before the server has answered, it is sent: the server decides.
    if (event.submitter?.id !== "complete" || waits || isReady()) return;
    event.preventDefault();
    event.stopImmediatePropagation();
  });
  const soon = later(() => check(form), PAUSE);
  return () => {
    waits = true;
    soon();
  };
}

/** Return what the server compared last, product by product. */
export const compared = (): Line[] => latest?.compared ?? [];

/** Show what the server said of the rows as they are. */
export function showCheck(answer: Check) {
  latest = answer;
  showRowChecks(answer);
  if (answer.compared_rows) find("#compared-rows tbody").innerHTML = answer.compared_rows;
  for (const [name, text] of Object.entries(answer.totals)) showTotal(name, text);
  const [first = "", ...more] = answer.missing;
  find("#missing").hidden = !first;
  find("#put-missing").hidden = !answer.compared.some(isMissing);
  if (first) showTotal("missing", first);
  showTotal("more", more.length ? ` ${t("And {number} more.", { number: more.length })}` : "");
  find("#weight").hidden = !answer.is_unusual;
  setComplete(answer.may_complete);
  tell(answer.told);
}

function setComplete(ready: boolean) {
  const complete = find("#complete");
  complete.ariaDisabled = String(!ready);
  complete.classList.toggle("primary", ready);
  find("#save").classList.toggle("primary", !ready);
}

const isReady = (): boolean => find("#complete").ariaDisabled !== "true";

const speak = later(() => setText(find("#told"), find("#why").textContent ?? ""), 1000);
function tell(text: string) {
  setText(find("#why"), text);
  speak();
}

function showRowChecks({ rows, cells }: Check) {
  const places = new Map(filledRows().map((row, place) => [row, place]));
  let box = "";
  for (const [at, row] of gridRows().entries()) {
    const place = places.get(row) ?? -1; // empty rows are not sent
    const { name, differs, box: own } = rows[place] ?? { box: "", name: "", differs: false };
    if (begins(row)) box = own;
    nameFields(row, at, box, name);
    const faults = findAll<HTMLInputElement>("input", row).flatMap((field) => {
      const column = columnOf(field);
      // An empty cell of the row with the cursor is no fault yet.
      const isBegun = row.contains(document.activeElement) && !field.value.trim();
      const fault = (!isBegun && cells[`${place}-${column}`]) || "";
      mark(field, fault);
      return fault ? [`${NAMES[column]}: ${fault}`] : [];
    });
    explain(find(".name", row), name, faults);
    row.classList.toggle("differs", differs);
  }
  fold();
}

function nameFields(row: HTMLTableRowElement, at: number, box: string, name: string) {
  const sku = value(row, "sku").toUpperCase();
  if (begins(row)) {
    setText(find(".number", row), t("No. {box}", { box }));
    for (const column of BOX)
      label(input(row, column), t("{column}, box {box}", { column: NAMES[column], box }));
  }
  label(input(row, "sku"), t("SKU, box {box}, row {row}", { box, row: at + 1 }));
  label(
    input(row, "pieces"),
    t("Pieces, {name}", { name: name || sku || t("row {row}", { row: at + 1 }) }),
  );
  label(find(".remove", row), `${t("Remove row {row}", { row: at + 1 })}${sku ? `, ${sku}` : ""}`);
}

function label(field: Element | null, text: string) {
  if (field && field.ariaLabel !== text) field.ariaLabel = text;
}

function mark(field: HTMLInputElement, text: string) {
  if (field.title === text) return;
  field.title = text;
  field.parentElement?.classList.toggle("fault", Boolean(text));
  field.ariaInvalid = text ? "true" : null;
}

/** The cells are narrow: what is wrong with them stands below the product's name. */
function explain(td: HTMLElement, name: string, faults: string[]) {
  const text = [name, ...faults].join("\n");
  if (td.dataset.shown === text) return;
  td.dataset.shown = text;
  td.replaceChildren(
    name,
    ...faults.map((fault) => make("span", { className: "field-error" }, fault)),
  );
}
