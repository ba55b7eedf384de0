import { describe, expect, it } from "vitest";
import { Ticks } from "./drafts";

function page(...choices: [choice: string, amount: string, isTicked: boolean][]) {
  document.body.innerHTML = `<form>${choices
    .map(
      ([choice, amount, isTicked]) =>
        `<input type="checkbox" name="book" value="${choice}" data-amount="${amount}"${isTicked ? " checked" : ""}>`,
    )
    .join("")}</form>`;
  return [...document.querySelectorAll<HTMLInputElement>("input")];
}

describe("ticks of a statement", () => {
  it("are kept from page to page, as they were left", () => {
    const ticks = new Ticks("ticks-1");
    ticks.follow(page(["1=a", "5.00", true], ["2=b", "7.00", true]));
    ticks.set({ choice: "2=b", amount: "7.00" }, false);

    const second = new Ticks("ticks-1");
    second.follow(page(["3=c", "9.00", true]));
    expect(second.amounts()).toEqual(["5.00", "9.00"]);

    const boxes = page(["1=a", "5.00", true], ["2=b", "7.00", true]);
    new Ticks("ticks-1").follow(boxes);
    expect(boxes.map((box) => box.checked)).toEqual([true, false]);
  });

  it("are all sent from the page that is shown, once", () => {
    const ticks = new Ticks("ticks-2");
    ticks.follow(page(["1=a", "5.00", true]));
    const boxes = page(["3=c", "9.00", true]);
    ticks.follow(boxes);
    const form = document.querySelector("form") as HTMLFormElement;
    ticks.send(form, boxes);
    expect(new FormData(form).getAll("book")).toEqual(["3=c", "1=a"]);
    expect(new Ticks("ticks-2").amounts()).toEqual([]);
  });

  it("of the desk itself are kept nowhere", () => {
    new Ticks("").follow(page(["1=a", "5.00", true]));
    expect(new Ticks("").amounts()).toEqual([]);
    expect(sessionStorage.length).toBe(0);
  });
});
