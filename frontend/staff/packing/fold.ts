/** Boxes on a phone: one is open, the others say in a line what they hold. packing.css shows all of them elsewhere. */
import { find, findAll, setText } from "../elements";
import { t } from "../texts";
import { SIZES } from "./cells";
import { begins, gridRows, value } from "./grid";

let open: Element | null = null;

/** Return the first row of the open box; the last box's where none was opened. */
export function openBox(): HTMLTableRowElement | undefined {
  const boxes = gridRows().filter(begins);
  return boxes.find((row) => row === open) ?? boxes.at(-1);
}

/** Return the rows of the box that a row belongs to, the one that begins it first. */
export function rowsOfBox(row: Element): HTMLTableRowElement[] {
  const rows = gridRows();
  const from = rows.slice(0, (rows as Element[]).indexOf(row) + 1).findLastIndex(begins);
  const next = rows.findIndex((at, place) => place > from && begins(at));
  return rows.slice(Math.max(0, from), next < 0 ? undefined : next);
}

/** Open the box of a row, and close the others. */
export function openBoxOf(row: Element) {
  open = rowsOfBox(row)[0] ?? null;
  fold();
}

/** Put the cursor into a field; its box opens. */
export function goTo(field: HTMLElement | null | undefined) {
  const row = field?.closest("tr");
  if (row) openBoxOf(row);
  field?.focus();
}

/** Close every box but the open one, and say of each what it holds. */
export function fold() {
  const opened = openBox();
  for (const box of gridRows().filter(begins)) {
    const rows = rowsOfBox(box);
    for (const row of rows) row.classList.toggle("shut", box !== opened);
    const button = find(".fold", box);
    const number = find(".number", box).textContent ?? "";
    const text = summary(box, rows);
    setText(button, text);
    button.ariaLabel = `${number}, ${text}`;
    button.ariaExpanded = String(box === opened);
    if (box === opened) setText(find("#to-box"), t("to {box}", { box: number }));
  }
}

/** Follow the boxes' lines, and the links of the faults above the sheet. */
export function startFolding() {
  find("#grid-rows tbody").addEventListener("click", (event) => {
    const row = (event.target as Element).closest(".fold")?.closest("tr");
    if (row) openBoxOf(row);
  });
  for (const link of findAll<HTMLAnchorElement>(".errornote a")) {
    link.addEventListener("click", () => {
      const row = document.getElementById(link.hash.slice(1))?.closest("tr");
      if (row) openBoxOf(row);
    });
  }
}

function summary(box: Element, rows: Element[]): string {
  const products = new Set(rows.map((row) => value(row, "sku").toUpperCase()).filter(Boolean)).size;
  const kg = value(box, "kg");
  const sizes = SIZES.map((column) => value(box, column));
  const isAmiss = rows.some((row) => row.matches(".differs, :has(.fault)"));
  return [
    `${products === 1 ? t("1 product") : t("{products} products", { products })}, ${kg ? `${kg} kg` : t("not weighed")}`,
    ...(sizes.every(Boolean) ? [sizes.join(" × ")] : []),
    ...(isAmiss ? [t("to check")] : []),
  ].join(" · ");
}
