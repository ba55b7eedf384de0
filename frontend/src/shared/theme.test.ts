import { afterEach, expect, it } from "vitest";
import { type Theme, theme } from "./theme";

const bars = () =>
  [...document.querySelectorAll<HTMLMetaElement>("meta[name=theme-color]")].map(
    ({ media }) => media,
  );

afterEach(() => {
  theme.choose("system");
  for (const bar of document.querySelectorAll("meta[name=theme-color]")) bar.remove();
});

it.each<[Theme, string | null, string[]]>([
  ["dark", "dark", ["not all", "all"]],
  ["light", "light", ["all", "not all"]],
  ["system", null, ["(prefers-color-scheme: light)", "(prefers-color-scheme: dark)"]],
])("%s is on the page, in the browser's bars and in the cookie", (name, attribute, media) => {
  for (const scheme of ["light", "dark"]) {
    const bar = document.createElement("meta");
    bar.name = "theme-color";
    bar.dataset.scheme = scheme;
    document.head.append(bar);
  }
  theme.choose(name);
  expect(theme.chosen()).toBe(name);
  expect(document.documentElement.getAttribute("data-theme")).toBe(attribute);
  expect(bars()).toEqual(media);
  expect(document.cookie).toContain(`theme=${name}`);
});
