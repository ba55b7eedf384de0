import { expect, it } from "vitest";

const ENDING = [
  ["while it is written", { isComposing: true }],
  ["as Safari ends it", { keyCode: 229 }],
] as const;

/** Press a key in a field and return whether a script took it. */
function press(key: string, name: string, more: KeyboardEventInit & { keyCode?: number } = {}) {
  const field = document.querySelector<HTMLElement>(`[aria-label="${name}"]`);
  const code = /^[a-z]$/.test(key) ? `Key${key.toUpperCase()}` : key;
  const init = { key, code, bubbles: true, cancelable: true, ...more };
  const event = new KeyboardEvent("keydown", init);
  field?.focus();
  field?.dispatchEvent(event);
  return event.defaultPrevented;
}
const focused = () => document.activeElement?.getAttribute("aria-label");

const sent = { times: 0 };
document.body.innerHTML = `
  <form method="post"><input aria-label="Name"><input aria-label="City"><button class="primary">Save</button></form>
  <table class="list walk"><tbody><tr><th><a href="#1" aria-label="Row 1">1</a></th></tr>
    <tr><th><a href="#2" aria-label="Row 2">2</a></th></tr></tbody></table>`;
document.addEventListener("submit", (event) => {
  event.preventDefault();
  sent.times += 1;
});
await import("./pages/staff");

it.each(ENDING)("leaves the keys of a syllable to the keyboard, %s", (_, more) => {
  HTMLElement.prototype.checkVisibility ??= () => true;
  expect(press("Enter", "Name", more)).toBe(false);
  expect(focused()).toBe("Name");
  expect(press("Enter", "Name", { ...more, ctrlKey: true })).toBe(false);
  expect(sent.times).toBe(0);
  press("j", "Row 1", { isComposing: true });
  expect(focused()).toBe("Row 1");
});

it("hears every other key, and the letter that would begin a syllable", () => {
  expect(press("Enter", "Name")).toBe(true);
  expect(focused()).toBe("City");
  press("j", "Row 1", { key: "Process", keyCode: 229 });
  expect(focused()).toBe("Row 2");
  expect(press("Enter", "Name", { ctrlKey: true })).toBe(true);
  expect(sent.times).toBe(1);
});
