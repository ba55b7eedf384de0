/** What is packed of each product, against what is to be sent; what is missing goes into the last box by one press. */
import { appendRow, begins, gridRows, setValue, value } from "./grid";

export interface Line {
  sku: string;
  name: string;
  confirmed: number;
  packed: number;
}

/** Return whether fewer pieces of a product are packed than were confirmed. */
export const isMissing = ({ packed, confirmed }: Line): boolean => packed < confirmed;

/** Put what is missing into the last box; where that stands for several boxes, into a new one. */
export function putMissing(lines: Line[]) {
  const last = gridRows().findLast(begins);
  let beginsNew = !last || value(last, "count") !== "1";
  for (const { sku, confirmed, packed } of lines.filter(isMissing)) {
    const rows = gridRows();
    const lastBox = rows.slice(rows.findLastIndex(begins));
    const isSame = (row: Element) => value(row, "sku").toUpperCase() === sku;
    const inBox = beginsNew ? undefined : lastBox.find(isSame);
    const pieces = confirmed - packed;
    if (inBox) {
      setValue(inBox, "pieces", String(pieces + (Number(value(inBox, "pieces")) || 0)));
    } else {
      appendRow({ ...(beginsNew && { count: "1" }), sku, pieces: String(pieces) }, beginsNew);
    }
    beginsNew = false;
  }
}
