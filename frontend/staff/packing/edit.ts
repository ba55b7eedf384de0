/** Editing the grid: keys, buttons, rows that come and go. */
import { find, findAll, isNarrow, letterOf } from "../elements";
import { BOX, type Column, SIZES } from "./cells";
import { goTo, openBox, rowsOfBox } from "./fold";
import {
  appendRow,
  begins,
  columnOf,
  gridRows,
  input,
  makeRow,
  setBegins,
  setValue,
  value,
} from "./grid";

/** Follow keys and buttons; `altered` is told of each change. */
export function startEditing(altered: () => void) {
  const body = find<HTMLTableSectionElement>("#grid-rows tbody");
  const add = (isBox: boolean) => {
    const row = appendRow({ count: "1" }, isBox);
    const box = openBox();
    // A phone shows one box: what is added goes into that one.
    if (!isBox && isNarrow() && box)
      rowsOfBox(box)
        .findLast((at) => at !== row)
        ?.after(row);
    altered();
    goTo(input(row, isBox ? "kg" : "sku"));
  };
  const keys: Record<string, (row: Element, field: HTMLElement) => void> = {
    ArrowDown: (row, field) => goTo(neighbour(row, columnOf(field), "next")),
    ArrowUp: (row, field) => neighbour(row, columnOf(field), "previous")?.focus(),
    Enter: (row, field) => {
      const column = columnOf(field);
      const fields = findAll("#grid-rows tbody input");
      // A phone shows the fields one below the other.
      const after = fields[fields.indexOf(field) + 1];
      const next = isNarrow() ? after : neighbour(row, column, "next");
      if (next) goTo(next);
      else if (!BOX.some((name) => name === column)) add(false);
    },
    b: (row) => {
      toggleBox(row, () => add(true));
      altered();
    },
    d: (row) => {
      copySizes(row);
      altered();
    },
  };
  body.addEventListener("keydown", (event) => {
    const field = event.target as HTMLElement;
    const row = field.closest("tr");
    const isChord = event.ctrlKey || event.metaKey || event.altKey;
    if (!row || !field.matches("input") || isChord) return;
    const key = letterOf(event);
    // In a SKU letters are letters, and arrows walk the suggestions.
    const deed = columnOf(field) === "sku" && key !== "Enter" ? undefined : keys[key];
    if (!deed) return;
    event.preventDefault();
    deed(row, field);
  });
  body.addEventListener("focusin", (event) => {
    const field = event.target as HTMLInputElement;
    if (field.matches("input")) field.select();
  });
  body.addEventListener("click", (event) => {
    const button = event.target as Element;
    const row = button.closest("tr");
    if (row && button.matches(".step")) {
      step(row, button.textContent === "+" ? 1 : -1);
      altered();
    }
    if (!row || !button.matches(".remove")) return;
    const next = remove(row);
    altered();
    goTo(next?.querySelector<HTMLElement>(".remove"));
  });
  body.addEventListener("input", altered);
  find("#add-box").addEventListener("click", () => add(true));
  find("#add-content").addEventListener("click", () => add(false));
  find("#copy-sizes").addEventListener("click", () => {
    const box = openBox();
    if (box) copySizes(box);
    altered();
  });
  find("#weigh-again").addEventListener("click", (event) => {
    event.preventDefault();
    goTo(find<HTMLElement>("input.kg", body));
  });
}

/** Return the field of the same column in the nearest row that has it. */
function neighbour(row: Element, column: Column, way: "next" | "previous"): HTMLElement | null {
  const beside = (at: Element) =>
    way === "next" ? at.nextElementSibling : at.previousElementSibling;
  let at = beside(row);
  while (at && !input(at, column)) at = beside(at);
  return at && input(at, column);
}

function step(row: Element, by: 1 | -1) {
  const pieces = Number.parseInt(value(row, "pieces"), 10) || 0;
  setValue(row, "pieces", String(Math.max(0, pieces + by)));
}

/** Begin a box at a row; at one that begins a box without figures take it back, else add a box. */
function toggleBox(row: Element, add: () => void) {
  const isFresh = !(["kg", ...SIZES] as const).some((column) => value(row, column));
  if (!begins(row)) {
    setBegins(row, true);
    goTo(input(row, "kg"));
  } else if (isFresh && row.previousElementSibling) {
    setBegins(row, false);
    goTo(input(row, "pieces"));
  } else {
    add();
  }
}

function copySizes(row: Element) {
  const boxes = gridRows().filter(begins);
  const [box] = rowsOfBox(row);
  const above = box && boxes[boxes.indexOf(box) - 1];
  if (!above) return;
  for (const column of SIZES) setValue(box, column, value(above, column));
}

/** Remove a row and return the one to go on at; a box's figures stay while it has further contents. */
function remove(row: HTMLTableRowElement): Element | null {
  const next = row.nextElementSibling;
  if (begins(row) && next && !begins(next)) {
    for (const column of ["sku", "pieces"] as const) setValue(row, column, value(next, column));
    next.remove();
    return row;
  }
  if (gridRows().length === 1) row.replaceWith(makeRow({ count: "1" }, true));
  else row.remove();
  return next ?? gridRows().at(-1) ?? null;
}
