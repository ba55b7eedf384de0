import { expect, it } from "vitest";
import { letterOf, suggest } from "./elements";

it.each([
  ["a Latin letter", "s", "KeyS", "s"],
  ["a letter with Shift", "S", "KeyS", "s"],
  ["a letter of another Latin layout", "a", "KeyQ", "a"],
  ["a key in Hangul", "ㄴ", "KeyS", "s"],
  ["a key that begins a syllable", "Process", "KeyJ", "j"],
  ["a key that writes no letter", "ArrowDown", "ArrowDown", "ArrowDown"],
  ["a sign", "/", "Slash", "/"],
])("%s is told by what it writes, else by its place", (_, key, code, letter) => {
  expect(letterOf(new KeyboardEvent("keydown", { key, code }))).toBe(letter);
});

it("suggests a value where nothing is typed, and nobody is about to", () => {
  document.body.innerHTML = '<input id="a"><input id="b" value="0.77"><input id="c">';
  const fields = [...document.querySelectorAll("input")];
  fields[0]?.focus();
  for (const field of fields) suggest(field, "3.60");
  expect(fields.map((field) => field.value)).toEqual(["", "0.77", "3.60"]);
});
