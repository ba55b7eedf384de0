import { beforeEach, describe, expect, it } from "vitest";
import type { Cents } from "@/domain/money";
import { findProposals, followKind, kindOf, toggleProposal, withProposal } from "./proposals";

const ROW = `<tr class="proposal" data-proposal><td><input type="hidden" name="proposal-__prefix__-line_id">
  <span data-kinds="fewer later price" data-said></span><label data-kinds="later"><input name="proposal-__prefix__-expected_on"></label>
  <input data-kinds="substitute" name="proposal-__prefix__-pieces"><input data-kinds="substitute price" name="proposal-__prefix__-price"></td></tr>`;

function show(): HTMLElement {
  const options = [
    "",
    "short",
    "propose:fewer",
    "propose:later",
    "propose:substitute",
    "propose:price",
  ];
  const choice = options.map((value) => `<option value="${value}"></option>`).join("");
  document.body.innerHTML = `<input name="proposal-TOTAL_FORMS" value="0"><template id="proposal-row">${ROW}</template>
    <table id="lines"><tbody><tr data-ordered="20"><td><input name="line-0-line_id" value="7"><input class="count" value="8">
    <select>${choice}</select><b data-sum></b></td></tr></tbody></table>`;
  return document.querySelector("#lines tr") as HTMLElement;
}

let line: HTMLElement;
const select = () => line.querySelector("select") as HTMLSelectElement;
const row = () => line.nextElementSibling as HTMLElement;
const field = (name: string) =>
  document.querySelector(`[name=proposal-0-${name}]`) as HTMLInputElement;
const ordered = { ordered: 20, confirmed: 8, price: 500 as Cents, weight: 100 };

function choose(kind: string) {
  select().value = `propose:${kind}`;
  followKind(line);
}

beforeEach(() => {
  line = show();
  findProposals([line]);
});

describe("a proposal on the confirmation sheet", () => {
  it("has a row with its kind's fields, named by the line", () => {
    choose("later");
    expect([kindOf(line), field("line_id").value, row().hidden]).toEqual(["later", "7", false]);
    expect(field("expected_on").closest("label")?.hidden).toBe(false);
    expect(field("price").hidden).toBe(true);
    choose("substitute");
    expect([field("price").hidden, document.querySelectorAll(".proposal").length]).toEqual([
      false,
      1,
    ]);
    select().value = "";
    followKind(line);
    expect(row().hidden).toBe(true);
  });

  it("says what comes now and what does not", () => {
    choose("fewer");
    expect(withProposal(line, ordered)).toEqual({ ordered, added: [] });
    expect(row().textContent).toContain("8 now, 12 given up");
  });

  it("counts a substitute in the line's place, and another price of all that was ordered", () => {
    choose("substitute");
    field("pieces").value = "10";
    field("price").value = "4.00";
    expect(withProposal(line, ordered).ordered.confirmed).toBe(0);
    expect(withProposal(line, ordered).added).toEqual([
      { pieces: 10, price: 400, weight: 0, isGiven: false },
    ]);
    choose("price");
    expect(line.querySelector<HTMLInputElement>(".count")?.value).toBe("20");
    expect(withProposal(line, ordered).added[0]?.pieces).toBe(20);
    expect(row().textContent).toContain("5.00 → 4.00, − 20 %");
  });

  it("begins and ends by one key", () => {
    toggleProposal(line);
    expect(kindOf(line)).toBe("fewer");
    toggleProposal(line);
    expect(kindOf(line)).toBe("");
  });
});
