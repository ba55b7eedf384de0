/** What is packed of each product, against what is to be sent; what is missing goes into the last box by one press. */
import { count } from "@/domain/figures";
import { find, make } from "../elements";
import { appendRow, begins, gridRows, setValue, value } from "./grid";

export interface Line {
  sku: string;
  name: string;
  confirmed: number;
  packed: number;
  sign: string;
}

/** Return whether fewer pieces of a product are packed than were confirmed. */
export const isMissing = ({ packed, confirmed }: Line): boolean => packed < confirmed;

/** Show each product's pieces, to send and packed. */
export function showCompared(lines: Line[]) {
  const rows = lines.map(({ sku, name, confirmed, packed, sign }) => {
    const row = document.createElement("tr");
    row.classList.toggle("differs", confirmed !== packed);
    row.append(Object.assign(make("th", "", sku), { scope: "row", title: name }));
    for (const [className, text] of [
      ["num", count(confirmed)],
      ["num strong", count(packed)],
      ["num sign", sign],
    ]) {
      Object.assign(row.insertCell(), { className, textContent: text });
    }
    return row;
  });
  find("#compared-rows tbody").replaceChildren(...rows);
}

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
