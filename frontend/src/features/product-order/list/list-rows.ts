/** The rows of a list as its sheet shows them. */
import { count as figure } from "@/domain/units";

export const ROWS_OF_A_TAB = 10_000_000;

/** A line's row as its sheet shows it, with its tab beyond the first. */
export function rowName(row: number): string {
  const tab = Math.floor(row / ROWS_OF_A_TAB);
  return tab ? `Tab ${tab + 1}, row ${row % ROWS_OF_A_TAB}` : `Row ${row}`;
}

/** Where a line's rows stand: `Row 4`, `Rows 4 and 9`, or the first and how many more. */
export function rowsName(rows: readonly number[]): string {
  const [first = 0, second, ...more] = rows;
  if (second === undefined) return rowName(first);
  if (more.length > 0) return `${rowName(first)} and ${figure(rows.length - 1)} more`;
  return second < ROWS_OF_A_TAB
    ? `Rows ${first} and ${second}`
    : `${rowName(first)} and ${rowName(second)}`;
}
