import { act, render, screen } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { PHONE, useMedia } from "./use-media";

function Layout() {
  return useMedia(PHONE) ? "phone" : "desktop";
}

it("follows the screen's width, but not the paper's", () => {
  const holding = new Set<string>();
  const changed = new Set<() => void>();
  vi.spyOn(window, "matchMedia").mockImplementation(
    (query) =>
      ({
        matches: holding.has(query),
        addEventListener: (_: "change", listener: () => void) => changed.add(listener),
        removeEventListener: (_: "change", listener: () => void) => changed.delete(listener),
      }) as unknown as MediaQueryList,
  );
  const now = (...queries: string[]) => {
    holding.clear();
    for (const query of queries) holding.add(query);
    act(() => {
      for (const listener of changed) listener();
    });
  };

  render(<Layout />);
  expect(screen.getByText("desktop")).toBeVisible();
  now(PHONE, "print");
  expect(screen.getByText("desktop")).toBeVisible();
  now(PHONE);
  expect(screen.getByText("phone")).toBeVisible();
  now("print");
  expect(screen.getByText("phone")).toBeVisible();
  now();
  expect(screen.getByText("desktop")).toBeVisible();
});
