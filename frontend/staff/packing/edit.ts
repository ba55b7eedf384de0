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

type Command = "next" | "previous" | "box" | "sizes";

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
  const commands: Record<Command, (row: Element, column: Column, key: string) => void> = {
    next: (row, column, key) => {
      const next =
        key === "Enter" && isNarrow()
          ? fieldAfter(input(row, column))
          : neighbour(row, column, "next");
      if (next) goTo(next);
      else if (key === "Enter" && !isBoxColumn(column)) add(false);
    },
    previous: (row, column) => neighbour(row, column, "previous")?.focus(),
    box: (row) => {
      toggleBox(row, () => add(true));
      altered();
    },
    sizes: (row) => {
      copySizes(row);
      altered();
    },
  };
  body.addEventListener("keydown", (event) => {
    const field = event.target as HTMLElement;
    const row = field.closest("tr");
    if (!row || !field.matches("input") || isChord(event)) return;
    const command = commandOf(letterOf(event), columnOf(field));
    if (!command) return;
    event.preventDefault();
    commands[command](row, columnOf(field), event.key);
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

function isChord(event: KeyboardEvent): boolean {
  return event.ctrlKey || event.metaKey || event.altKey;
}

function isBoxColumn(column: Column): boolean {
  return BOX.some((name) => name === column);
}

/** Return what a key means; in a SKU letters are letters and arrows walk the suggestions. */
function commandOf(key: string, column: Column): Command | null {
  if (key === "Enter") return "next";
  if (column === "sku") return null;
  const commands = { ArrowDown: "next", ArrowUp: "previous", b: "box", d: "sizes" } as const;
  return key in commands ? commands[key as keyof typeof commands] : null;
}

/** Return the field of the same column in the nearest row that has it. */
function neighbour(row: Element, column: Column, way: "next" | "previous"): HTMLElement | null {
  const beside = (at: Element) =>
    way === "next" ? at.nextElementSibling : at.previousElementSibling;
  let at = beside(row);
  while (at && !input(at, column)) at = beside(at);
  return at && input(at, column);
}

/** Return the next field of the grid, as a phone shows them one below the other. */
function fieldAfter(field: HTMLElement | null): HTMLElement | null {
  const fields = findAll("#grid-rows tbody input");
  return (field && fields[fields.indexOf(field) + 1]) ?? null;
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
  const own = boxes.findLastIndex((box) => isAtOrBefore(box, row));
  const [above, box] = [boxes[own - 1], boxes[own]];
  if (!above || !box) return;
  for (const column of SIZES) setValue(box, column, value(above, column));
}

function isAtOrBefore(box: Element, row: Element): boolean {
  return (
    box === row || Boolean(box.compareDocumentPosition(row) & Node.DOCUMENT_POSITION_FOLLOWING)
  );
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
