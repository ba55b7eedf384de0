import { expect, it } from "vitest";
import { cents, counted, kilograms, money, sum, times, usd } from "./figures";

it("writes money with thousands separators and two decimals", () => {
  expect(usd(1234.5)).toBe("$1,234.50");
  expect(usd(0)).toBe("$0.00");
});

it("adds and multiplies without the errors of floats", () => {
  expect(money(sum([cents(0.1), cents(0.2)]))).toBe("$0.30");
  expect(money(times(cents(1.1), 3))).toBe("$3.30");
  expect(cents(1.005 * 100)).toBe(10050);
});

it("writes weights with one decimal and counts with their noun", () => {
  expect(kilograms(30)).toBe("30.0 kg");
  expect(counted(1, "product")).toBe("1 product");
  expect(counted(1200, "product")).toBe("1,200 products");
});
