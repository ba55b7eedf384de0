import { expect, it } from "vitest";

it("says in a statement's title how many lines are ticked, on all its pages", async () => {
  sessionStorage.setItem("ticks-7", JSON.stringify({ ticked: [["9=z", "1.00"]], seen: ["9=z"] }));
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
