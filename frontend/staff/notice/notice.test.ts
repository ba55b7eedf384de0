import { describe, expect, it } from "vitest";
import { size } from "./files";
import { wholeAddress } from "./link";

describe("a notice", () => {
  it.each([
    ["shop.test/sale", "https://shop.test/sale"],
    [" https://shop.test ", "https://shop.test"],
    ["sales@shop.test", "mailto:sales@shop.test"],
    ["javascript:alert(1)", ""],
    ["just words", ""],
    ["", ""],
  ])("makes a whole address of %s", (typed, address) => {
    expect(wholeAddress(typed)).toBe(address);
  });

  it("writes the size of a file", () => {
    expect([12, 1536, 2 * 1024 ** 2].map(size)).toEqual(["12 bytes", "1.5 KB", "2.0 MB"]);
  });
});
