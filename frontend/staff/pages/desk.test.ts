import { expect, it, vi } from "vitest";

it("says in a statement's title how many lines are ticked, on all its pages", async () => {
  sessionStorage.setItem("ticks-7", JSON.stringify([["9=z", "1.00"]]));
  document.body.innerHTML = `<h1>Statement</h1><span data-ticks-count></span>
    <input type="checkbox" name="book" value="1=a" data-amount="5.00" checked>
    <form id="book" data-ticks="ticks-7"><button data-book></button></form><span data-ticked></span>`;
  await import("./desk");
  const [title] = document.querySelectorAll("[data-ticks-count]");
  const box = document.querySelector<HTMLInputElement>("input[name=book]");
  expect(title?.textContent).toBe("2 ticked");
  box?.click();
  expect(title?.textContent).toBe("1 ticked");
  sessionStorage.clear();
});

it("shows the letter's figures of the choice that is ticked", async () => {
  vi.resetModules();
  const choice = (value: string) =>
    `<input type="radio" name="by_terms" value="${value}" data-credit="1.00" data-wallet="2.00">`;
  document.body.innerHTML = `<form id="cancel">${choice("1")}${choice("0")}
    <select name="kind"><option value="Cancelled by the buyer"></option></select>
    <textarea name="words"></textarea><p data-letter-words></p><span data-wallet-after></span>
    <dl data-letter="1">By our terms</dl><dl data-letter="0" hidden>Our fault</dl>
    <a id="keep"></a><button id="cancel-button"></button></form>`;
  const [byTerms, ourFault] = document.querySelectorAll<HTMLInputElement>("[name=by_terms]");
  byTerms?.click();
  await import("./desk");
  const shown = () => document.querySelector("dl:not([hidden])")?.textContent;
  expect(shown()).toBe("By our terms");
  ourFault?.click();
  expect(shown()).toBe("Our fault");
  expect(document.querySelectorAll("dl[hidden]")).toHaveLength(1);
});
