/** What is packed of each product, against what is to be sent. */
import { count } from "@/domain/units";
import { find } from "../elements";

export interface Line {
  sku: string;
  name: string;
  confirmed: number;
  packed: number;
  sign: string;
}

/** Return whether fewer pieces of a product are packed than were confirmed. */
export function isMissing({ packed, confirmed }: Line): boolean {
  return packed < confirmed;
}

/** Show each product's pieces, to send and packed. */
export function showCompared(lines: Line[]) {
  const rows = lines.map(({ sku, name, confirmed, packed, sign }) => {
    const row = document.createElement("tr");
    row.classList.toggle("differs", confirmed !== packed);
    const head = document.createElement("th");
    Object.assign(head, { scope: "row", title: name, textContent: sku });
    row.append(head);
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
