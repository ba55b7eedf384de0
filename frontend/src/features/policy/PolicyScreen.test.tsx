import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderApp } from "@/test/render";
import { PolicyScreen } from "./PolicyScreen";

const open = (at = "/policy") => renderApp(<PolicyScreen />, { at });
const current = () =>
  within(screen.getByRole("navigation", { name: "Contents" }))
    .getAllByRole("link")
    .filter((link) => link.getAttribute("aria-current") === "location")
    .map((link) => link.textContent);

it.each([
  "effective from 17 May 2022",
  "returns within 7 days of receipt if the goods are damaged or are not the goods",
  "Claims must be made within 6 months of purchase",
  "can be cancelled only if it has not shipped",
  "The balance is refunded except a deposit of 100 USD",
  "credited to your wallet within 5 to 15 business days",
  "cannot ship within 2 business days, we notify you",
  "The buyer bears the customs duties",
  "European countries ship at actual product value",
  "All express packages to Chile are declared at 28 USD, and all standard packages to Chile at 5 USD",
  "governed by Korean law",
])("says: %s", (text) => {
  open();
  expect(screen.getByRole("article")).toHaveTextContent(text);
});

it("names the platform and the sales mailbox of the configuration", () => {
  open();
  expect(screen.getByRole("article")).toHaveTextContent("Maren & Holt");
  for (const link of screen.getAllByRole("link", { name: "sales@marenholt.example" })) {
    expect(link).toHaveAttribute("href", "mailto:sales@marenholt.example");
  }
});

it("every entry of the contents leads to a heading of its own", () => {
  open();
  const links = within(screen.getByRole("navigation", { name: "Contents" })).getAllByRole("link");
  const ids = links.map((link) => link.getAttribute("href")?.split("#")[1] ?? "");
  expect(new Set(ids).size).toBe(links.length);
  for (const [index, id] of ids.entries()) {
    expect(document.getElementById(id)).toHaveTextContent(links[index]?.textContent ?? "–");
  }
  expect(ids).toEqual(expect.arrayContaining(["privacy", "terms"]));
});

it("an anchor in the address is gone to at the load", async () => {
  open("/policy#terms");
  await waitFor(() => expect(screen.getByRole("heading", { name: "Terms of use" })).toHaveFocus());
  expect(current()).toEqual(["Terms of use"]);
});

it("a click moves the focus to the heading and marks the entry, each time", async () => {
  const { user } = open();
  const link = screen.getByRole("link", { name: "Governing law" });
  for (let click = 0; click < 2; click += 1) {
    await user.click(link);
    await waitFor(() =>
      expect(screen.getByRole("heading", { name: "Governing law" })).toHaveFocus(),
    );
    expect(current()).toEqual(["Governing law"]);
  }
});
