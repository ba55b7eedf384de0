import { beforeEach, describe, expect, it } from "vitest";
import { centsOf, readOrdered } from "./rows";

const ROW = `<table><tr data-ordered="48" data-available="40" data-price="9.17" data-weight="100">
  <td><input class="count"><p data-fault hidden></p></td>
  <td><select><option value=""></option></select><p data-asked hidden></p></td>
  <td data-sum></td></tr></table>`;

let row: HTMLElement;
const part = (selector: string) => row.querySelector(selector) as HTMLElement;

beforeEach(() => {
  document.body.innerHTML = ROW;
  row = document.querySelector("tr") as HTMLElement;
});

function type(text: string, isStockFree = false) {
  (part("input") as HTMLInputElement).value = text;
  const { confirmed } = readOrdered(row, isStockFree);
  const { hidden, textContent } = part("[data-fault]");
  return [confirmed, hidden ? "" : textContent, part("[data-sum]").textContent];
}

describe("a line of the confirmation sheet", () => {
  it.each([
    ["40", 40, "", "366.80"],
    ["41", 41, "Only 40 available.", "375.97"],
    ["60", 0, "From 0 to 48.", "0.00"],
    ["12.5", 0, "Whole pieces only.", "0.00"],
    ["-5", 0, "From 0 to 48.", "0.00"],
    ["", 0, "How many pieces?", "0.00"],
  ])("says what is wrong with %j, and counts no nonsense", (text, confirmed, fault, sum) => {
    expect(type(text)).toEqual([confirmed, fault, sum]);
    expect(part("input").ariaInvalid).toBe(String(Boolean(fault)));
  });

  it("keeps the server's words until the pieces or the proposal are others", () => {
    const choice = part("select") as HTMLSelectElement;
    choice.innerHTML = "<option value=''></option><option value='propose:fewer' selected></option>";
    part("input").setAttribute("value", "40");
    part("[data-fault]").dataset.fault = "From 0 to 39 now.";
    expect(type("40")[1]).toBe("From 0 to 39 now.");
    expect(type("39")[1]).toBe("");
    choice.value = "";
    expect(type("40")[1]).toBe("");
  });

  it("lets who may have more than is available have all that is ordered", () => {
    expect(type("48", true)).toEqual([48, "", "440.16"]);
    expect(type("49", true)).toEqual([0, "From 0 to 48.", "0.00"]);
  });

  it("asks why none, where none is typed", () => {
    type("0");
    expect(part("[data-asked]").hidden).toBe(false);
    type("x");
    expect(part("[data-asked]").hidden).toBe(true);
  });

  it("counts no amount below zero", () => {
    expect(["-3", "3", "x"].map(centsOf)).toEqual([0, 300, 0]);
  });
});
