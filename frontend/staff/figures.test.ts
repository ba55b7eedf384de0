import { describe, expect, it } from "vitest";
import { amount, kilograms, nameFigure, readCents, readPieces } from "./figures";

describe("figures", () => {
  it.each([
    ["12", 1200],
    ["1,234.5", 123_450],
    ["0.07", 7],
    [".5", 50],
    ["19.99", 1999],
    ["-3.10", -310],
    ["", null],
    ["-", null],
    ["1.005", null],
    ["86,40", null],
    ["1,2345", null],
    ["1,234,567.8", 123_456_780],
    ["1e3", null],
    ["twelve", null],
  ])("reads %s as cents", (text, cents) => {
    expect(readCents(text)).toBe(cents);
  });

  it.each([
    [0, "0.00"],
    [7, "0.07"],
    [123_456_789, "1,234,567.89"],
    [-310, "− 3.10"],
  ])("writes %d cents", (cents, text) => {
    expect(amount(cents)).toBe(text);
  });

  it("reads what it writes, for every cent of a thousand dollars", () => {
    for (let cents = 0; cents < 100_000; cents += 7) {
      expect(readCents(amount(cents))).toBe(cents);
    }
  });

  it.each([
    [0, "0.0 kg"],
    [1, "0.1 kg"],
    [7_750, "7.8 kg"],
    [12_000, "12.0 kg"],
  ])("rounds %d grams up to a tenth", (grams, text) => {
    expect(kilograms(grams)).toBe(text);
  });

  it("reads whole numbers of pieces and nothing else", () => {
    const read = ["12", " 0 ", "2.9", "-4", "1e3", "", "x"].map(readPieces);
    expect(read).toEqual([12, 0, null, -4, null, null, null]);
  });
});

describe("a button that books an amount", () => {
  it("says it as it is typed, and nothing of what cannot be read", () => {
    document.body.innerHTML = `<input id="id_amount" value="1178.6"><button data-figure="id_amount">Send the refund</button>`;
    const field = document.querySelector("input") as HTMLInputElement;
    const button = document.querySelector("button") as HTMLButtonElement;
    nameFigure(button);
    expect(button).toHaveTextContent("Send the refund of 1,178.60");
    field.value = "86,40";
    field.dispatchEvent(new Event("input"));
    expect(button.textContent).toBe("Send the refund");
  });
});
