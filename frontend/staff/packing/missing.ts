/** What is missing goes into the last box by one press. */
import { isMissing, type Line } from "./compared";
import { appendRow, begins, gridRows, setValue, value } from "./grid";

/** Put what is missing into the last box; where that stands for several boxes, into a new one. */
export function putMissing(lines: Line[]) {
  const last = gridRows().findLast(begins);
  let beginsNew = !last || value(last, "count") !== "1";
  for (const { sku, confirmed, packed } of lines.filter(isMissing)) {
    const inBox = beginsNew ? undefined : rowsOfLastBox().find((row) => skuOf(row) === sku);
    const pieces = confirmed - packed;
    if (inBox) {
      setValue(inBox, "pieces", String(pieces + (Number(value(inBox, "pieces")) || 0)));
    } else {
      appendRow({ ...(beginsNew && { count: "1" }), sku, pieces: String(pieces) }, beginsNew);
    }
    beginsNew = false;
  }
}

function rowsOfLastBox(): HTMLTableRowElement[] {
  const rows = gridRows();
  return rows.slice(rows.findLastIndex(begins));
}

function skuOf(row: Element): string {
  return value(row, "sku").toUpperCase();
}
