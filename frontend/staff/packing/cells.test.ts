import { describe, expect, it } from "vitest";
import { beginsBox, type Headings, layoutOf, parse, write } from "./cells";

const HEADINGS: Headings = {
  box: ["box", "carton no", "박스번호"],
  count: ["count"],
  kg: ["kg", "weight kg", "총중량 kg"],
  length: ["l", "가로"],
  width: ["w"],
  height: ["h"],
  sku: ["sku", "품번"],
  pieces: ["pieces", "qty", "수량 ea"],
};
const isKnown = (text: string) => ["A-1", "B-2"].includes(text);
const layout = (rows: string[][], start = 0) => {
  const { places, box, from } = layoutOf(rows, start, HEADINGS, isKnown);
  return { ...Object.fromEntries(places), box, from };
};

describe("parse", () => {
  it("reads cells as Excel copies them", () => {
    expect(parse("1\t A  b \r\n\t2\r\n")).toEqual([
      ["1", "A b"],
      ["", "2"],
    ]);
  });

  it("reads tabs, line ends and quotation marks inside of quotation marks", () => {
    expect(parse('"a\tb"\t"say ""x"""\n"1\n2"\t')).toEqual([
      ["a b", 'say "x"'],
      ["1 2", ""],
    ]);
  });

  it("keeps a quotation mark that stands alone", () => {
    expect(parse('5"\tx')).toEqual([['5"', "x"]]);
  });

  it("reads what write wrote", () => {
    const rows = [
      ["1", 'a "b"', ""],
      ["", "x", "y"],
    ];
    expect(parse(write(rows))).toEqual(rows);
  });
});

describe("layoutOf", () => {
  it("finds columns by their headings, in any sequence", () => {
    const rows = [
      ["Lot", "Qty", "SKU", "Carton no", "Weight (kg)"],
      ["7", "20", "A-1", "1", "2.5"],
    ];
    expect(layout(rows)).toEqual({ pieces: 1, sku: 2, box: 3, kg: 4, from: 1 });
  });

  it("finds Korean ones, with and without spaces", () => {
    const rows = [["박스 번호", "품명", "품번", "수량 (EA)", "총중량(kg)", "가 로"]];
    expect(layout(rows)).toEqual({ box: 0, sku: 2, pieces: 3, kg: 4, length: 5, from: 1 });
  });

  it("finds figures before the SKU and pieces behind the name", () => {
    expect(layout([["14,2", "52", "40", "34", "A-1", "A name", "5"]])).toEqual({
      kg: 0,
      length: 1,
      width: 2,
      height: 3,
      sku: 4,
      pieces: 6,
      box: undefined,
      from: 0,
    });
  });

  it("takes the column before all figures for the box's number", () => {
    expect(layout([["C1", "2", "14", "52", "40", "34", "B-2", "5"]])).toMatchObject({
      box: 0,
      count: 1,
    });
  });

  it("goes cell by cell from the cursor where no SKU is known", () => {
    expect(layout([["52", "40", "34"]], 2)).toEqual({
      length: 0,
      width: 1,
      height: 2,
      box: undefined,
      from: 0,
    });
    expect(layout([["1", "2"]], -1)).toEqual({ count: 1, box: 0, from: 0 });
  });
});

describe("beginsBox", () => {
  const above = { number: "1", values: { kg: "5" } };

  it.each([
    ["another number", "2", {}, true],
    ["the same number", "1", {}, false],
    ["the same number and figures", "1", { kg: "5" }, false],
    ["the same number with a figure of its own", "1", { kg: "6" }, true],
    ["no number and no figures", "", { sku: "A-1" }, false],
    ["no number, but figures", "", { kg: "6" }, true],
  ])("%s", (_, number, values, isBox) => {
    expect(beginsBox(number, values, above)).toBe(isBox);
  });
});
