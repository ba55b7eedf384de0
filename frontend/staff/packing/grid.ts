/** The grid of a packing sheet: a box's fields stand in its first row, what is in it in this row and those below. */
import { find, make } from "../elements";
import { t } from "../texts";
import { BOX, beginsBox, COLUMNS, type Column, type Values, write } from "./cells";

export const NAMES: Record<Column, string> = {
  count: t("Count"),
  kg: t("kg each"),
  length: t("Length"),
  width: t("Width"),
  height: t("Height"),
  sku: "SKU",
  pieces: t("Pieces"),
};

/** What stands above a field on a phone, where the table has no headings. */
const HEADINGS: Partial<Record<Column, string>> = {
  count: t("Boxes"),
  kg: t("kg each"),
  length: t("L cm"),
  width: t("W"),
  height: t("H"),
};

const body = () => find<HTMLTableSectionElement>("#grid-rows tbody");

/** Return the rows of the grid. */
export const gridRows = (): HTMLTableRowElement[] => [...body().rows];

/** Return the field of a column; null for a box's field in a row that begins none. */
export function input(row: Element, column: Column): HTMLInputElement | null {
  return row.querySelector<HTMLInputElement>(`[data-column="${column}"]`);
}

/** Return what stands in a cell. */
export function value(row: Element, column: Column): string {
  return input(row, column)?.value.trim() ?? "";
}

/** Return whether a row begins a box. */
export const begins = (row: Element): boolean => row.classList.contains("begins");

/** Return the column of a field. */
export const columnOf = (field: HTMLElement): Column => field.dataset.column as Column;

/** Return the rows that hold anything: those that are sent. */
export function filledRows(): HTMLTableRowElement[] {
  return gridRows().filter((row) => begins(row) || COLUMNS.some((column) => value(row, column)));
}

/** Return the sheet as a text with tabs, its boxes numbered. */
export function contents(): string {
  let number = 0;
  return write(
    filledRows().map((row) => {
      if (begins(row)) number += 1;
      const label = begins(row) ? String(number) : "";
      return [label, ...COLUMNS.map((column) => value(row, column))];
    }),
  );
}

/** Show rows of cells, box number first; a sheet without any has one empty box. */
export function showRows(table: string[][]) {
  let above: { number: string; values: Values } = { number: "", values: {} };
  const rows: HTMLTableRowElement[] = [];
  for (const [number = "", ...cells] of table) {
    const values: Values = Object.fromEntries(
      COLUMNS.map((column, at) => [column, cells[at] ?? ""]),
    );
    if (!number && !cells.some(Boolean)) continue;
    const isBox = !rows.length || beginsBox(number, values, above);
    if (isBox) above = { number, values };
    rows.push(makeRow(values, isBox));
  }
  body().replaceChildren(...(rows.length ? rows : [makeRow({ count: "1" }, true)]));
}

/** Return a new row, not yet in the grid. */
export function makeRow(values: Values, isBox: boolean): HTMLTableRowElement {
  const look = { type: "button", className: "remove", ariaLabel: t("Remove row") } as const;
  return make(
    "tr",
    { className: isBox ? "begins" : "" },
    ...firstCells(values, isBox),
    cell("sku", values.sku),
    make("td", { className: "name" }),
    cell("pieces", values.pieces),
    make("td", {}, make("button", look, "×")),
  );
}

/** Begin a box at a row, or end that it begins one. */
export function setBegins(row: Element, isBox: boolean, values: Values = { count: "1" }) {
  if (begins(row) === isBox) return;
  while (!row.firstElementChild?.querySelector(".sku")) row.firstElementChild?.remove();
  row.classList.toggle("begins", isBox);
  row.prepend(...firstCells(values, isBox));
}

/** Write a cell; a box's figure in a row that begins none begins one. */
export function setValue(row: Element, column: Column, text: string) {
  if (!input(row, column)) {
    if (!text) return;
    setBegins(row, true, {});
  }
  const field = input(row, column);
  if (field) field.value = text;
}

/** Add a row at the end and return it. */
export function appendRow(values: Values, isBox: boolean): HTMLTableRowElement {
  return body().appendChild(makeRow(values, isBox || !body().rows.length));
}

/** Return the cells of a box's figures; one empty cell as wide in a row that begins none. */
function firstCells(values: Values, isBox: boolean): HTMLElement[] {
  if (!isBox) return [make("td", { colSpan: BOX.length + 1 })];
  const number = make("span", { className: "number" });
  const button = make("button", { type: "button", className: "fold" });
  const label = make("th", { scope: "row" }, number, button);
  return [label, ...BOX.map((column) => cell(column, values[column]))];
}

/** A button beside a figure, for a thumb; hidden where there is a keyboard. */
const stepper = (sign: "−" | "+", ariaLabel: string): HTMLElement =>
  make("button", { type: "button", className: "step", ariaLabel }, sign);

function cell(column: Column, value = ""): HTMLElement {
  const look = { className: column, ariaLabel: NAMES[column], enterKeyHint: "next" };
  const field = make("input", { type: "text", value, autocomplete: "off", ...look });
  field.dataset.column = column;
  const td = make("td", { className: "num" }, field);
  if (column === "sku") {
    field.setAttribute("list", "packing-skus");
    td.className = "";
  } else {
    field.inputMode = column === "count" || column === "pieces" ? "numeric" : "decimal";
  }
  const heading = HEADINGS[column];
  if (heading) td.dataset.heading = heading;
  if (column === "pieces") {
    td.classList.add("steps");
    td.prepend(stepper("−", t("One piece less")));
    td.append(stepper("+", t("One piece more")));
  }
  return td;
}
