/** Editing the grid: keys, buttons, rows that come and go. */
import { find, findAll, inColumn, isNarrow, letterOf } from "../elements";
import { BOX, SIZES } from "./cells";
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
  const keys: Record<string, (row: Element, field: HTMLInputElement) => void> = {
    ArrowDown: (_, field) => goTo(inColumn(field, 1)),
    ArrowUp: (_, field) => goTo(inColumn(field, -1)),
    Enter: (_, field) => {
      const fields = findAll("input", body);
      // A phone shows the fields one below the other.
      const next = isNarrow() ? fields[fields.indexOf(field) + 1] : inColumn(field, 1);
      if (next) goTo(next);
      else if (!BOX.some((name) => name === columnOf(field))) add(false);
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
    const field = event.target as HTMLInputElement;
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
