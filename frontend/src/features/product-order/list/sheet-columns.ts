/** What the columns of a buyer's sheet hold: as the server thinks, and as the buyer says. */
import type { components } from "@/api/schema.gen";
import { ROWS_OF_A_TAB } from "./list-rows";

export type SheetTab = components["schemas"]["SheetColumns"];
export type ColumnKind = SheetTab["kinds"][number];

/** What is sent for a tab. */
export interface SaidColumns {
  readonly tab: number;
  readonly head: number;
  readonly kinds: readonly ColumnKind[];
  readonly carton: number;
}

export const KINDS: readonly { readonly kind: ColumnKind; readonly label: string }[] = [
  { kind: "sku", label: "SKU" },
  { kind: "own", label: "Your item code" },
  { kind: "ean", label: "EAN" },
  { kind: "name", label: "Name" },
  { kind: "qty", label: "Quantity, pieces" },
  { kind: "cartons", label: "Quantity, cartons" },
  { kind: "per_carton", label: "Pieces per carton" },
  { kind: "unit", label: "Unit" },
  { kind: "price", label: "Price" },
  { kind: "note", label: "Remark" },
  { kind: "other", label: "Leave out" },
];
const NAMING: readonly ColumnKind[] = ["sku", "own", "ean", "name"];
const QUANTITIES: readonly ColumnKind[] = ["qty", "cartons"];

/** What has to be asked first of a sheet; nothing once its layout is plain or remembered. */
export function askedTab(tabs: readonly SheetTab[]): SheetTab | undefined {
  return tabs.find(({ asks }) => asks !== "");
}

export function saidOf({ tab, head, kinds, carton }: SheetTab): SaidColumns {
  return { tab, head, kinds, carton };
}

/** The columns once one of them is said to be of a kind; there is one quantity of each. */
export function named(said: SaidColumns, column: number, kind: ColumnKind): SaidColumns {
  const once = QUANTITIES.includes(kind);
  const kinds = said.kinds.map((other, place) => {
    if (place === column) return kind;
    return once && other === kind ? "other" : other;
  });
  return { ...said, kinds };
}

/** The answer to which column holds the quantity: this one; none of the others that were asked about. */
export function answered(said: SaidColumns, column: number): SaidColumns {
  const kinds = said.kinds.map((kind, place) => {
    if (place === column) return "qty";
    return kind === "" || kind === "qty" ? "other" : kind;
  });
  return { ...said, kinds };
}

/** The columns that are said to hold the same quantity, where one alone can. */
export function doubled({ kinds }: SaidColumns): readonly number[] {
  const twice = QUANTITIES.filter((kind) => kinds.indexOf(kind) !== kinds.lastIndexOf(kind));
  return kinds.flatMap((kind, column) => (twice.includes(kind) ? [column] : []));
}

/** How many rows of a tab are read as lines of the order; 0 where that is not known before its columns are. */
export function rowsRead(
  lines: readonly { readonly rows: readonly number[] }[],
  tab: number,
): number {
  const places = lines.flatMap(({ rows }) => rows);
  return places.filter((row) => Math.floor(row / ROWS_OF_A_TAB) === tab).length;
}

/** What is still missing before rows can be read so; empty where nothing is. */
export function missing(said: SaidColumns): string {
  const { kinds } = said;
  if (kinds.every((kind) => kind === "other")) return "";
  if (kinds.includes("")) return "Which column holds the quantity?";
  if (doubled(said).length > 0) return "Which column alone holds the quantity?";
  if (!kinds.some((kind) => NAMING.includes(kind))) return "Which column names the product?";
  if (!kinds.some((kind) => QUANTITIES.includes(kind))) return "Which column holds the quantity?";
  return "";
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
