import { expect, it, vi } from "vitest";
import { momentHere } from "./dates";

it("names the clock by which a moment is told: the reader's", () => {
  vi.stubEnv("TZ", "Europe/Berlin");
  try {
    expect(momentHere("2026-11-22T01:20:05+09:00")).toBe("2026-11-21 17:20 CET");
  } finally {
    vi.unstubAllEnvs();
  }
});
