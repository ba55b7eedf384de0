import { expect, it, vi } from "vitest";
import { dayText, momentHere } from "./dates";

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
