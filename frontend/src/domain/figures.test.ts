import { expect, it, vi } from "vitest";
import {
  cents,
  counted,
  dayText,
  kilograms,
  lastDayBefore,
  momentHere,
  money,
  sum,
  times,
  usd,
} from "./figures";

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

it("names the clock by which a moment is told: the reader's", () => {
  vi.stubEnv("TZ", "Europe/Berlin");
  try {
    expect(momentHere("2026-11-22T01:20:05+09:00")).toBe("21 Nov 2026, 17:20 CET");
  } finally {
    vi.unstubAllEnvs();
  }
});

it("writes a day as the server does, in the server's offset", () => {
  expect(dayText("2026-09-03")).toBe("3 Sep 2026");
  expect(dayText("2026-11-22T01:20:05+09:00")).toBe("22 Nov 2026");
});

it("names the year of a last day that is in another one", () => {
  vi.useFakeTimers({ now: new Date("2026-11-28T12:00:00Z"), toFake: ["Date"] });
  try {
    expect(lastDayBefore("2026-12-01T00:00:00Z")).toBe("30 Nov");
    expect(lastDayBefore("2027-01-04T00:00:00Z")).toBe("3 Jan 2027");
  } finally {
    vi.useRealTimers();
  }
});
