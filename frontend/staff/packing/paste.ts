/** Pasted cells: by Ctrl V where the cursor is, or through the dialog. */
import { count } from "@/domain/figures";
import { find, linkButton } from "../elements";
import { t } from "../texts";
import {
  BOX,
  beginsBox,
  COLUMNS,
  type Column,
  type Headings,
  type Layout,
  layoutOf,
  parse,
  type Values,
} from "./cells";
import {
  appendRow,
  begins,
  columnOf,
  contents,
  gridRows,
  setBegins,
  setValue,
  showRows,
  value,
} from "./grid";

interface Lookup {
  headings: Headings;
  skus: Set<string>;
}

/** Take pasted rows; `altered` is told of each change. */
export function startPaste(known: Lookup, altered: () => void) {
  const paste = (text: string, row: Element | null, start: number, before: string) => {
    const table = parse(text);
    const layout = layoutOf(table, start, known.headings, (cell) =>
      known.skus.has(cell.toUpperCase()),
    );
    fill(table.slice(layout.from), layout, row);
    tellPasted(table, layout, () => {
      showRows(parse(before));
      altered();
    });
    altered();
  };
  find("#grid-rows tbody").addEventListener("paste", (event) => {
    const text = event.clipboardData?.getData("text/plain") ?? "";
    const field = event.target as HTMLInputElement;
    if (!field.matches("input") || !/[\t\n]/.test(text.trimEnd())) return;
    event.preventDefault();
    paste(text, field.closest("tr"), COLUMNS.indexOf(columnOf(field)), contents());
  });
  startDialog((text, replaces) => {
    const before = contents();
    if (replaces) find("#grid-rows tbody").replaceChildren();
    // Without headings and SKUs that are known, a row begins with its box's number.
    const width = Math.max(...parse(text).map((row) => row.length));
    paste(text, null, width > COLUMNS.length ? -1 : 0, before);
  });
}

function startDialog(take: (text: string, replaces: boolean) => void) {
  const dialog = find<HTMLDialogElement>("#paste");
  const area = find<HTMLTextAreaElement>("#paste-text");
  const close = (replaces: boolean) => {
    dialog.close();
    if (!area.value.trim()) return;
    take(area.value, replaces);
    area.value = "";
  };
  find("#paste-open").addEventListener("click", () => dialog.showModal());
  find("#paste-add").addEventListener("click", () => close(false));
  find("#paste-replace").addEventListener("click", () => close(true));
  find("#paste-cancel").addEventListener("click", () => dialog.close());
}

/** Write pasted cells from a row on, in new rows behind the last. */
function fill(table: string[][], layout: Layout, start: Element | null) {
  const { places, box } = layout;
  const saysBox = box !== undefined || BOX.some((column) => places.has(column));
  let at = start;
  let above: { number: string; values: Values } = { number: "", values: {} };
  for (const cells of table.filter((row) => row.some(Boolean))) {
    const row: Element = at ?? appendRow({}, false);
    const number = (box !== undefined && cells[box]) || "";
    const values: Values = {};
    for (const [column, place] of places) values[column] = cells[place] ?? "";
    const isBox = beginsBox(number, values, above);
    if (isBox) above = { number, values };
    fillRow(row, values, isBox, saysBox);
    at = row.nextElementSibling;
  }
}

function fillRow(row: Element, values: Values, isBox: boolean, mayBegin: boolean) {
  const isFirst = row === gridRows()[0];
  if (mayBegin && !isFirst) setBegins(row, isBox, {});
  for (const [column, text] of Object.entries(values) as [Column, string][]) {
    const isBoxField = BOX.some((name) => name === column);
    if (isBox || isFirst || !isBoxField) setValue(row, column, text);
  }
  if (begins(row) && !value(row, "count")) setValue(row, "count", "1");
}

function tellPasted(table: string[][], layout: Layout, undo: () => void) {
  const note = find("#pasted");
  const button = linkButton(t("Undo"), () => {
    undo();
    note.hidden = true;
  });
  const number = table.length - layout.from;
  const rows =
    number === 1 ? t("1 row pasted.") : t("{rows} rows pasted.", { rows: count(number) });
  const unused = unusedColumns(table, layout);
  const rest = unused.length ? ` ${t("Not used: {columns}.", { columns: unused.join(", ") })}` : "";
  note.replaceChildren(`${rows}${rest} `, button);
  note.hidden = false;
}

/** Return the pasted columns that the sheet has no place for, by their headings where there are any. */
function unusedColumns(table: string[][], { places, box, from }: Layout): string[] {
  const used = new Set([...places.values(), box]);
  if (from) return (table[0] ?? []).filter((text, at) => text && !used.has(at));
  const width = Math.max(...table.map((cells) => cells.length));
  return Array.from({ length: width }, (_, at) => at)
    .filter((at) => !used.has(at))
    .map((at) => t("column {number}", { number: at + 1 }));
}
