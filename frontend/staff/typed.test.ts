import { screen } from "@testing-library/dom";
import userEvent from "@testing-library/user-event";
import { beforeEach, describe, expect, it } from "vitest";
import { keepSent, keepTyped, keepTypedAt, restoreTyped } from "./typed";

const PAGE = `
  <main><div id="content"><div class="page-head"></div>
    <form method="post"><textarea name="text"></textarea></form>
    <form method="post">
      <input type="hidden" name="csrfmiddlewaretoken" value="new"><input type="hidden" name="version" value="7">
      <input name="title" aria-label="Title"><textarea name="words" aria-label="Words"></textarea>
      <select name="kind" aria-label="Kind"><option value="a">A</option><option value="b">B</option></select>
      <input type="checkbox" name="send" value="on" aria-label="Send" checked>
      <input type="radio" name="way" value="1" aria-label="One" checked><input type="radio" name="way" value="2" aria-label="Two">
      <button type="button">Remove</button>
      <input name="row" aria-label="First"><input name="row" aria-label="Second"><input type="file" name="file">
    </form>
  </div></main>`;
const here = () => location.pathname + location.search;
const field = (name: string) => screen.getByLabelText<HTMLInputElement>(name);

beforeEach(() => {
  document.body.innerHTML = PAGE;
});

describe("what was typed into a form that was too old", () => {
  it("comes back into the form that it was typed into, with the version that it was typed over", () => {
    keepTyped(here(), [
      ["csrfmiddlewaretoken", "old"],
      ["version", "6"],
      ["title", "Autumn"],
      ["words", "two\nlines"],
      ["kind", "b"],
      ["way", "2"],
      ["row", "x"],
      ["row", "y"],
    ]);
    restoreTyped();
    expect(field("Title")).toHaveValue("Autumn");
    expect(field("Words")).toHaveValue("two\nlines");
    expect(field("Kind")).toHaveValue("b");
    expect(field("Two")).toBeChecked();
    expect(field("Send")).not.toBeChecked();
    expect([field("First").value, field("Second").value]).toEqual(["x", "y"]);
    expect(document.querySelector("[name=version]")).toHaveValue("6");
    expect(document.querySelector("[name=csrfmiddlewaretoken]")).toHaveValue("new");
    expect(screen.getByRole("status")).toHaveTextContent(/Restored what you typed at \d\d:\d\d\./);
  });

  it("comes back once", async () => {
    keepTyped(here(), [["title", "Autumn"]]);
    restoreTyped();
    await userEvent.click(screen.getByRole("button", { name: "Keep mine" }));
    expect(screen.queryByRole("status")).not.toBeInTheDocument();
    document.body.innerHTML = PAGE;
    restoreTyped();
    expect(field("Title")).toHaveValue("");
  });

  it("says what has no place any more", () => {
    keepTyped(here(), [
      ["title", "Autumn"],
      ["items-3-price", "4.00"],
      ["kind", "gone"],
      ["_save", "Save"],
    ]);
    restoreTyped();
    expect(screen.getByRole("status")).toHaveTextContent("Not put back: items 3 price, kind.");
  });

  it("comes back after a button that leads away, if anything was typed", async () => {
    keepTypedAt(screen.getByRole("button"));
    await userEvent.click(screen.getByRole("button"));
    expect(sessionStorage).toHaveLength(0);
    await userEvent.type(field("Title"), "Autumn");
    await userEvent.click(field("Two"));
    history.replaceState(null, "", "?_changelist_filters=q");
    await userEvent.click(screen.getByRole("button"));
    history.replaceState(null, "", location.pathname);
    document.body.innerHTML = PAGE;
    restoreTyped();
    expect(field("Title")).toHaveValue("Autumn");
    expect(field("Two")).toBeChecked();
  });

  it("comes back after a sign-in that it was sent into, and after no other page", async () => {
    const arrive = (from: string) => {
      Object.defineProperty(document, "referrer", { value: from, configurable: true });
      document.body.innerHTML = PAGE;
      restoreTyped();
      return field("Title").value;
    };
    keepSent();
    document.addEventListener("submit", (event) => event.preventDefault());
    const send = async () => {
      await userEvent.type(field("Title"), "Autumn");
      document.querySelectorAll("form")[1]?.requestSubmit();
    };
    await send();
    expect(arrive(`${location.origin}/admin/login/?next=x`)).toBe("Autumn");
    await send();
    expect(arrive(location.href)).toBe("");
    expect(arrive(`${location.origin}/admin/login/`)).toBe("");
  });

  it("waits on the sign-in page, and comes back to the same person alone", async () => {
    const show = (person: string, from: string) => {
      Object.defineProperty(document, "referrer", { value: from, configurable: true });
      const who =
        person && `<div id="user-tools"><span class="who" data-person="${person}"></span></div>`;
      document.body.innerHTML = who + PAGE;
      restoreTyped();
      return field("Title").value;
    };
    const signIn = `${location.origin}/admin/login/`;
    show("1", "");
    await userEvent.type(field("Title"), "Autumn");
    document.querySelectorAll("form")[1]?.requestSubmit();
    expect(show("", location.href)).toBe("");
    expect(show("2", signIn)).toBe("");
    expect(show("1", signIn)).toBe("Autumn");
    expect(screen.getByRole("status")).toHaveTextContent("It has not been sent.");
  });

  it("leaves other pages and sheets that keep themselves alone", () => {
    keepTyped("/admin/other/", [["title", "Autumn"]]);
    restoreTyped();
    keepTyped(here(), [["title", "Autumn"]]);
    document.querySelectorAll("form")[1]?.setAttribute("data-key", "sheet-1");
    restoreTyped();
    expect(field("Title")).toHaveValue("");
    expect(screen.queryByRole("status")).not.toBeInTheDocument();
  });
});
