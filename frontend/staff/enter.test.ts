import { screen } from "@testing-library/dom";
import userEvent from "@testing-library/user-event";
import { beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startEnter } from "./enter";

const sent = vi.fn();

beforeAll(() => {
  startEnter();
  document.addEventListener("submit", (event) => {
    event.preventDefault();
    sent((event.submitter as HTMLButtonElement | null)?.textContent ?? "");
  });
});
beforeEach(() => sent.mockClear());

function show(html: string) {
  document.body.innerHTML = html;
}
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);

const FORM = `
  <form method="post">
    <input aria-label="Fee"><input type="hidden" name="seen"><select aria-label="Reason"><option>Short</option></select>
    <input type="checkbox" aria-label="Tick"><input type="radio" name="way" aria-label="Terms"><input type="radio" name="way" aria-label="Fault">
    <input aria-label="Gone" disabled><textarea aria-label="Words"></textarea><input aria-label="Last">
    <button class="button">Count</button><button class="button primary">Confirm</button>
  </form>`;

describe("Enter in a form that sends", () => {
  it("goes through the fields, sends nothing and stays in the last", async () => {
    show(FORM);
    field("Fee").focus();
    const visited = [];
    for (let press = 0; press < 4; press += 1) {
      await userEvent.keyboard("{Enter}");
      visited.push(document.activeElement?.getAttribute("aria-label"));
    }
    expect(visited).toEqual(["Reason", "Tick", "Terms", "Words"]);
    field("Last").focus();
    await userEvent.keyboard("{Enter}");
    expect(field("Last")).toHaveFocus();
    await userEvent.keyboard("{Shift>}{Enter}{/Shift}");
    expect(sent).not.toHaveBeenCalled();
  });

  it("begins a line in a text", async () => {
    show(FORM);
    await userEvent.type(field("Words"), "one{Enter}two");
    expect(field("Words")).toHaveValue("one\ntwo");
  });

  it("goes to the next row of a grid that has the column, and stays in the last row", async () => {
    const row = (number: number) =>
      `<tr><td><input aria-label="Pieces ${number}"></td><td><select aria-label="Why ${number}"></select></td></tr>`;
    show(
      `<form method="post"><table class="sheet"><tbody>${row(1)}<tr></tr>${row(2)}</tbody></table></form>`,
    );
    field("Pieces 1").focus();
    await userEvent.keyboard("{Enter}");
    expect(field("Pieces 2")).toHaveFocus();
    await userEvent.keyboard("{Enter}");
    expect(field("Pieces 2")).toHaveFocus();
    field("Why 1").focus();
    await userEvent.keyboard("{Enter}");
    expect(field("Why 2")).toHaveFocus();
    expect(sent).not.toHaveBeenCalled();
    document.querySelector("table")?.setAttribute("data-then", "fee");
    document.querySelector("form")?.insertAdjacentHTML("beforeend", `<input id="fee">`);
    field("Pieces 2").focus();
    await userEvent.keyboard("{Enter}");
    expect(document.activeElement?.id).toBe("fee");
  });

  it("leaves a page's own Enter alone", async () => {
    show(FORM);
    const own = vi.fn((event: Event) => event.preventDefault());
    field("Fee").addEventListener("keydown", own);
    field("Fee").focus();
    await userEvent.keyboard("{Enter}");
    expect(own).toHaveBeenCalled();
    expect(field("Fee")).toHaveFocus();
  });
});

describe("Enter in a form that only asks", () => {
  it.each([
    ["a search", `<form><input aria-label="Find"><button>Find it</button></form>`],
    [
      "the sign-in",
      `<form method="post" data-enter="send"><input aria-label="Find"><button>Find it</button></form>`,
    ],
  ])("sends %s", async (_, html) => {
    show(html);
    field("Find").focus();
    await userEvent.keyboard("{Enter}");
    expect(sent).toHaveBeenCalledExactlyOnceWith("Find it");
  });
});

describe("Ctrl Enter", () => {
  const press = () => userEvent.keyboard("{Control>}{Enter}{/Control}");

  it("presses the primary button of the form that is typed into", async () => {
    show(
      `${FORM}<form method="post"><input aria-label="Other"><button>A</button><button>B</button></form>`,
    );
    field("Words").focus();
    await press();
    expect(sent).toHaveBeenCalledExactlyOnceWith("Confirm");
    field("Other").focus();
    await press();
    expect(sent).toHaveBeenCalledOnce();
  });

  it("presses a form's only button, so that a note beside a decision is the note", async () => {
    show(
      `${FORM}<form method="post"><textarea aria-label="Note"></textarea><button>Keep the note</button></form>`,
    );
    field("Note").focus();
    await press();
    expect(sent).toHaveBeenCalledExactlyOnceWith("Keep the note");
  });

  it("presses the primary button of a form that only asks", async () => {
    show(
      `<form><input aria-label="Amount"><button class="button primary">Show what will happen</button></form>${FORM}`,
    );
    field("Amount").focus();
    await press();
    expect(sent).toHaveBeenCalledExactlyOnceWith("Show what will happen");
  });

  it.each([
    [
      "a red button",
      `<form method="post"><input aria-label="Words"><button class="button danger">Cancel</button></form>`,
    ],
    [
      "anything from a search",
      `<form><input aria-label="Words"></form>${FORM.replace('"Words"', '"Text"')}`,
    ],
  ])("never presses %s", async (_, html) => {
    show(html);
    field("Words").focus();
    await press();
    expect(sent).not.toHaveBeenCalled();
  });

  it.each([
    ["a mail that is read", `<button class="button primary">Send again</button>`, "button"],
    ["an order's conversation, where an answer leads", `<h2 tabindex="-1">Said</h2>`, "h2"],
    ["nothing that has the focus", "", "body"],
  ])("sends nothing from %s", async (_, html, focus) => {
    show(`<form method="post">${html}</form>${FORM}`);
    document.querySelector<HTMLElement>(focus)?.focus();
    await press();
    expect(sent).not.toHaveBeenCalled();
  });

  it("does not reach the page's own scripts", async () => {
    show(FORM);
    const own = vi.fn();
    field("Words").addEventListener("keydown", (event) => event.key === "Enter" && own());
    field("Words").focus();
    await press();
    expect(own).not.toHaveBeenCalled();
  });
});
