import { expect, it } from "vitest";
import { documentLabel, poLabel } from "./orders";

it("writes PO once", () => {
  const numbers = ["4500118", "PO-4500118", "po 17", "PO17", "Polo-3"];
  expect(numbers.map(poLabel)).toEqual(["PO 4500118", "PO-4500118", "po 17", "PO17", "PO Polo-3"]);
});

it("does not repeat the order's code in the name of a document", () => {
  expect(documentLabel("Air waybill MHW-1", "MHW-1")).toBe("Air waybill");
  expect(documentLabel("MHW-1", "MHW-1")).toBe("MHW-1");
  expect(documentLabel("Price list", "MHW-1")).toBe("Price list");
  expect(documentLabel("Proforma_Invoice_MHW-1.xlsx", "MHW-1")).toBe("Proforma Invoice XLSX");
  expect(documentLabel("Receipt_MHW-1.pdf", "MHW-1")).toBe("Receipt PDF");
});
