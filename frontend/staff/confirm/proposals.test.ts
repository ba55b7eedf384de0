import { beforeEach, describe, expect, it, vi } from "vitest";
import type { Cents } from "@/domain/figures";
import { findProducts } from "./products";
import { followKind, kindOf, showSubstitute, toggleProposal, withProposal } from "./proposals";

const ROW = `<tr class="proposal" data-proposal><td><input type="hidden" name="proposal-__prefix__-line_id">
  <span data-kinds="fewer later price" data-said></span><label data-kinds="later"><input name="proposal-__prefix__-expected_on"></label>
  <img data-picture hidden><span data-kinds="substitute" data-other></span>
  <input data-kinds="substitute" list="found-products" name="proposal-__prefix__-sku"><input data-kinds="substitute" name="proposal-__prefix__-pieces"><input data-kinds="substitute price" name="proposal-__prefix__-price"></td></tr>`;

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
    <form data-products="/found/"><datalist id="found-products"></datalist><table id="lines"><tbody><tr data-ordered="20"><td><input name="line-0-line_id" value="7"><input class="count" value="8">
    <select>${choice}</select><b data-sum></b></td></tr></tbody></table></form>`;
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
  followKind(line);
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

  it("finds the substitute while it is typed, with its picture, what is there, its price and the pieces", async () => {
    const found = { sku: "C-3", name: "Day Oil", price: "3.90", available: 15, weight_g: 40 };
    const asked = vi.fn(async (address: string) => {
      const products = address === "/found/?q=day" ? [{ ...found, picture: "/media/c.jpg" }] : [];
      return new Response(JSON.stringify({ products }));
    });
    vi.stubGlobal("fetch", asked);
    findProducts(document.querySelector("form") as HTMLFormElement, showSubstitute);
    choose("substitute");
    const type = (text: string) => {
      field("sku").value = text;
      field("sku").dispatchEvent(new Event("input", { bubbles: true }));
    };
    type("day");
    await vi.waitFor(() =>
      expect(document.querySelector("#found-products option")?.getAttribute("value")).toBe("C-3"),
    );
    type("c-3");
    expect(asked).toHaveBeenCalledTimes(1);
    expect(row().textContent).toContain("Day Oil, 15 available");
    expect(row().querySelector("img")?.getAttribute("src")).toBe("/media/c.jpg");
    expect([field("price").value, field("pieces").value]).toEqual(["3.90", "20"]);
    expect(withProposal(line, ordered).added[0]).toMatchObject({ pieces: 20, weight: 40 });
    const other = row().querySelector("[data-other]") as HTMLElement;
    expect(other.classList.contains("lack")).toBe(true);
    field("pieces").value = "15";
    withProposal(line, ordered);
    expect(other.classList.contains("lack")).toBe(false);
    type("c-4");
    expect([other.textContent, row().querySelector("img")?.hidden]).toEqual(["", true]);
  });

  it("begins and ends by one key", () => {
    toggleProposal(line);
    expect(kindOf(line)).toBe("fewer");
    toggleProposal(line);
    expect(kindOf(line)).toBe("");
  });
});
