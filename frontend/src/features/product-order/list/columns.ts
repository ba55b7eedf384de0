/** What the columns of a buyer's sheet hold: as the server thinks, and as the buyer says. */
import type { Schemas } from "@/api/client";

export type SheetTab = Schemas["SheetColumns"];
export type ColumnKind = SheetTab["kinds"][number];

/** What is sent for a tab; `decimal` is the mark before the decimals, where its numbers can be read in two ways. */
export type TabColumns = Readonly<Pick<SheetTab, "tab" | "head" | "kinds" | "carton">> & {
  readonly decimal: "" | "." | ",";
};

export const KINDS: readonly (readonly [kind: ColumnKind, label: string])[] = [
  ["sku", "SKU"],
  ["own", "Your item code"],
  ["ean", "EAN"],
  ["name", "Name"],
  ["qty", "Quantity, pieces"],
  ["cartons", "Quantity, cartons"],
  ["per_carton", "Pieces per carton"],
  ["unit", "Unit"],
  ["price", "Price"],
  ["note", "Remark"],
  ["other", "Not needed"],
];
const NAMING: readonly ColumnKind[] = ["sku", "own", "ean", "name"];
const QUANTITIES: readonly ColumnKind[] = ["qty", "cartons"];

/** The columns once one of them is said to be of a kind; there is one quantity of each. */
export function withKind(mapping: TabColumns, column: number, kind: ColumnKind): TabColumns {
  const once = QUANTITIES.includes(kind);
  const kinds = mapping.kinds.map((other, place) => {
    if (place === column) return kind;
    return once && other === kind ? "other" : other;
  });
  return { ...mapping, kinds };
}

/** The columns once what is ordered is said: one of those that could be it, or several added up. */
export function ordering(mapping: TabColumns, columns: readonly number[], tab: SheetTab) {
  const kinds = mapping.kinds.map((kind, place) => {
    if (columns.includes(place)) return "qty";
    return kind === "qty" || tab.kinds[place] === "" ? "other" : kind;
  });
  return { ...mapping, kinds };
}

/** The columns of pieces. */
export function quantitiesOf({ kinds }: TabColumns): readonly number[] {
  return kinds.flatMap((kind, place) => (kind === "qty" ? [place] : []));
}

/** The question that keeps rows from being read so; empty where there is none. */
export function openQuestion({ kinds, decimal }: TabColumns, { asks }: SheetTab): string {
  if (!kinds.some((kind) => NAMING.includes(kind))) return "Which column names the product?";
  if (!kinds.some((kind) => QUANTITIES.includes(kind))) return "Which column holds the quantity?";
  return asks === "number" && !decimal ? "Which number format is used?" : "";
}

/** What is called a column: its heading, else its letter as spreadsheets have it. */
export function columnName({ rows, head }: SheetTab, column: number): string {
  const heading = rows.find(({ row }) => row === head)?.cells[column];
  return heading || `Column ${letters(column)}`;
}

function letters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last;
}
