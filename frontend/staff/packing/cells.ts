/** Rows of a packing sheet as text: cells parted by tabs, and which column of pasted rows is what. */

export const SIZES = ["length", "width", "height"] as const;
export const BOX = ["count", "kg", ...SIZES] as const;
export const COLUMNS = [...BOX, "sku", "pieces"] as const;
export type Column = (typeof COLUMNS)[number];
export type Values = Partial<Record<Column, string>>;
type Row = string[];

/** The headings that mean a column, and "box" for the box's number: the server's list. */
export type Headings = Record<Column | "box", string[]>;

/** Which of a pasted table's columns is what, and at which row its contents begin. */
export interface Layout {
  places: Map<Column, number>;
  box: number | undefined;
  from: number;
}

/** Read cells as spreadsheets copy them: parted by tabs, in quotation marks where they hold tabs or line ends. */
export function parse(text: string): Row[] {
  const cells = /("(?:[^"]|"")*"|[^\t\n]*)(\t|\n|$)/g;
  const table: Row[] = [[]];
  const clean = text.replace(/\r\n?/g, "\n").replace(/\n$/, "");
  for (const [, cell = "", end] of clean.matchAll(cells)) {
    const bare = /^".*"$/s.test(cell) ? cell.slice(1, -1).replaceAll('""', '"') : cell;
    table.at(-1)?.push(bare.replace(/\s+/g, " ").trim());
    if (end === "\n") table.push([]);
    if (end === "") break;
  }
  return table;
}

/** Write rows as a text that `parse` and the server read. */
export function write(rows: Row[]): string {
  const quoted = (cell: string) =>
    /["\t\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  return rows.map((row) => row.map(quoted).join("\t")).join("\n");
}

/** Return whether a row is shown as a box of its own: by another number than above, else by figures of its own. */
export function beginsBox(
  number: string,
  values: Values,
  above: { number: string; values: Values },
): boolean {
  const figures = BOX.filter((column) => values[column]);
  const repeats = number !== "" && number === above.number;
  if (repeats) return figures.some((column) => values[column] !== above.values[column]);
  return number !== "" || figures.length > 0;
}

/** Return which pasted column is what: by headings, else by the SKUs, else from `start` on (-1: the box's number). */
export function layoutOf(
  table: Row[],
  start: number,
  headings: Headings,
  isKnown: (text: string) => boolean,
): Layout {
  const headed = byHeadings(table[0] ?? [], headings);
  if (headed) return headed;
  const width = Math.max(...table.map((row) => row.length));
  const filled = (at: number) => table.map((row) => row[at] ?? "").filter(Boolean);
  const columns = Array.from({ length: width }, (_, at) => filled(at));
  const sku = columns.findIndex((cells) => cells.filter(isKnown).length * 2 > cells.length);
  return sku < 0 ? cellByCell(width, start) : aroundSkus(columns, sku);
}

function byHeadings(head: Row, headings: Headings): Layout | null {
  // As the server's `heading_key`: Korean ones are the same with and without spaces.
  const clean = (text: string) =>
    text
      .normalize("NFKC")
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, " ")
      .replace(/(?<=[가-힣]) (?=[가-힣])/g, "")
      .trim();
  const placeOf = (names: string[]) => {
    const wordsOf = names.map(clean);
    return head.findIndex((text) => wordsOf.includes(clean(text)));
  };
  const places = new Map<Column, number>();
  for (const column of COLUMNS) {
    const at = placeOf(headings[column]);
    if (at >= 0) places.set(column, at);
  }
  if (!places.has("sku") || !places.has("pieces")) return null;
  const box = placeOf(headings.box);
  return { places, box: box < 0 ? undefined : box, from: 1 };
}

function cellByCell(width: number, start: number): Layout {
  const places = new Map<Column, number>();
  for (let at = 0; at < width; at += 1) {
    const column = COLUMNS[start + at];
    if (column) places.set(column, at);
  }
  return { places, box: start < 0 ? 0 : undefined, from: 0 };
}

const isNumber = (text: string) => /^[\d.,\s]+$/.test(text);

/** Figures stand before the SKU, pieces behind it; the product's name may stand between. */
function aroundSkus(columns: Row[], sku: number): Layout {
  const isFigures = (cells: Row) => cells.filter(isNumber).length * 2 >= cells.length;
  const places = new Map<Column, number>([["sku", sku]]);
  const before = columns.slice(0, sku).reverse();
  const notFigures = before.findIndex((cells) => !isFigures(cells));
  const figures = Math.min(notFigures < 0 ? sku : notFigures, BOX.length);
  for (const [step, column] of BOX.toReversed().slice(0, figures).entries()) {
    places.set(column, sku - 1 - step);
  }
  const hasBox = figures === BOX.length && sku > figures;
  const behind = columns.slice(sku + 1);
  const isName = (cells: Row) => cells.length > 0 && !cells.some(isNumber);
  const pieces = behind.findIndex((cells, at) => at === behind.length - 1 || !isName(cells));
  if (pieces >= 0) places.set("pieces", sku + 1 + pieces);
  return { places, box: hasBox ? sku - figures - 1 : undefined, from: 0 };
}
