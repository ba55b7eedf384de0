import { beforeEach, describe, expect, it, vi } from "vitest";
import { ConfirmationDraft } from "./confirmation-draft";

interface Line {
  id: number;
  name: string;
  available: number;
  confirm: number;
}

function show(lines: Line[]) {
  const rows = lines.map(
    ({ id, name, available, confirm }, at) => `
      <tr data-available="${available}"><th>${name}<span>SKU</span><input type="hidden" name="line-${at}-line_id" value="${id}"></th>
        <td><input class="count" name="line-${at}-confirmed" value="${confirm}"></td></tr>`,
  );
  document.body.innerHTML = `<form id="sheet" data-key="sheet-1"><input type="hidden" name="version" value="2">
    <table id="lines"><tbody>${rows.join("")}</tbody></table><input name="shipping_fee" class="fee">
    <select name="added-0-reason"><option>free_offer</option><option>substitute</option></select></form>`;
  return document.querySelector("form") as HTMLFormElement;
}
const count = (at: number) =>
  document.querySelector(`[name=line-${at}-confirmed]`) as HTMLInputElement;
const fee = () => document.querySelector("[name=shipping_fee]") as HTMLInputElement;
const restore = (sheet: HTMLFormElement) => new ConfirmationDraft(sheet).restore(() => undefined);

const oil = { id: 11, name: "Hair Oil", available: 14, confirm: 20 };
const balm = { id: 12, name: "Tint Balm", available: 40, confirm: 40 };

beforeEach(() => vi.useFakeTimers({ now: new Date(2026, 10, 20, 10, 42), toFake: ["Date"] }));

describe("a confirmation sheet that was not sent", () => {
  it("comes back with the moment and with what has changed of the stock", () => {
    const sheet = show([oil, balm]);
    count(0).value = "10";
    fee().value = "86.40";
    new ConfirmationDraft(sheet).keep();

    const told = restore(show([{ ...oil, available: 10 }, balm]));
    expect([count(0).value, count(1).value, fee().value]).toEqual(["10", "40", "86.40"]);
    expect(told?.at).toBe(new Date(2026, 10, 20, 10, 42).getTime());
    const change = { name: "Hair Oil", what: "available", before: "14", now: "10", typed: "10" };
    expect(told?.changes).toEqual([{ ...change, target: count(0) }]);
    expect(told?.lost).toEqual([]);
  });

  it("never puts a figure onto another line", () => {
    const sheet = show([oil, balm]);
    count(0).value = "3";
    count(1).value = "4";
    new ConfirmationDraft(sheet).keep();

    const told = restore(show([balm, { ...oil, id: 13, name: "New Oil" }]));
    expect([count(0).value, count(1).value]).toEqual(["4", "20"]);
    expect(told?.lost).toEqual(["lines that the order does not have any more"]);
  });

  it("keeps the fee when its proposals are sent, and nothing where nothing else was typed", () => {
    const sheet = show([oil, balm]);
    count(0).value = "10";
    count(0).closest("tr")?.classList.add("proposed");
    new ConfirmationDraft(sheet).keepRest();
    expect(restore(show([oil, balm]))).toBeNull();

    fee().value = "86.40";
    new ConfirmationDraft(document.querySelector("form") as HTMLFormElement).keepRest();
    restore(show([oil, balm]));
    expect([count(0).value, fee().value]).toEqual(["20", "86.40"]);
  });

  it("does not come back once it was forgotten", () => {
    const kept = new ConfirmationDraft(show([oil]));
    kept.keep();
    kept.forget();
    expect(restore(show([oil]))).toBeNull();
  });
});
