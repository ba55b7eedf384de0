import { describe, expect, it } from "vitest";
import type { Cents } from "@/domain/figures";
import { totals } from "./totals";

const before = { total: 10_000 as Cents, received: 3_000 as Cents };
const line = (ordered: number, confirmed: number, price = 1_000) => ({
  ordered,
  confirmed,
  price: price as Cents,
  weight: 120,
});

describe("totals of the confirmation sheet", () => {
  it("counts money in cents, pieces and grams", () => {
    const added = { pieces: 2, price: 333 as Cents, weight: 50, isGiven: true };
    const sums = totals([line(5, 5), line(5, 3), line(2, 0)], [added], 1_250 as Cents, before);
    expect(sums).toEqual({
      confirmed: 8_666,
      final: 9_916,
      notConfirmed: -1_334,
      balance: 6_916,
      weight: 8 * 120 + 100,
      back: 4,
      inFull: 1,
      inPart: 1,
      none: 1,
      added: 1,
    });
  });

  it("says what was received too much", () => {
    expect(totals([line(1, 1)], [], 0 as Cents, before).balance).toBe(-2_000);
  });
});
