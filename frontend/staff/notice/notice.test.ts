import { describe, expect, it } from "vitest";
import { wholeAddress } from "../editor/link";
import { fromWord } from "../editor/word";
import { size } from "./files";

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

  it("reads Word's lists, headings and tables", () => {
    const item = (level: number, mark: string, text: string) =>
      `<p class=MsoListParagraph style='margin-left:.5in;mso-list:l0 level${level} lfo1'><![if !supportLists]>` +
      `<span><span style='mso-list:Ignore'>${mark}<span>&nbsp;</span></span></span><![endif]>${text}</p>`;
    const table = "<table><tbody><tr><td><p>A</p></td><td><p>B</p></td></tr></tbody></table>";
    const pasted =
      `<h1>Dates</h1><h2>Seoul</h2>${item(1, "·", "one")}${item(2, "o", "inner")}${item(1, "·", "two")}` +
      `<p>between</p>${item(1, "1.", "first")}${item(1, "2)", "second")}${table}`;
    const page = document.createElement("div");
    page.innerHTML = fromWord(pasted);
    for (const marked of page.querySelectorAll("[data-word], [class]")) {
      marked.removeAttribute("data-word");
      marked.removeAttribute("class");
    }
    expect(page.innerHTML.replace(/<!--.*?-->|<\/?span>/g, "")).toBe(
      "<h2>Dates</h2><h3>Seoul</h3>" +
        "<ul><li><p>one</p><ul><li><p>inner</p></li></ul></li><li><p>two</p></li></ul>" +
        `<p>between</p><ol><li><p>first</p></li><li><p>second</p></li></ol>${table}`,
    );
  });

  it("leaves the headings of another text as they are", () => {
    expect(fromWord("<h2>A</h2><h3>B</h3><p>C</p>")).toBe("<h2>A</h2><h3>B</h3><p>C</p>");
  });
});
