import { expect, it } from "vitest";
import { poLabel } from "./po-number";

it("writes PO once", () => {
  const numbers = ["4500118", "PO-4500118", "po 17", "PO17", "Polo-3"];
  expect(numbers.map(poLabel)).toEqual(["PO 4500118", "PO-4500118", "po 17", "PO17", "PO Polo-3"]);
});
