import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderScreen } from "@/test/render";
import { policyText } from "@/test/seller";
import { answer } from "@/test/server";
import PolicyScreen from "./PolicyScreen";

async function open(at = "/policy") {
  answer("get", "/policy", policyText());
  const rendered = renderScreen(<PolicyScreen />, { at });
  await screen.findByRole("article");
  return rendered;
}
const current = () =>
  within(screen.getByRole("navigation", { name: "Contents" }))
    .getAllByRole("link")
    .filter((link) => link.getAttribute("aria-current") === "location")
    .map((link) => link.textContent);

it("shows the text and since when it holds", async () => {
  await open();
  expect(screen.getByText("Privacy policy effective 17 May 2022")).toBeVisible();
  expect(screen.getByRole("article")).toHaveTextContent("Returns within 7 days of receipt.");
});

it("every entry of the contents leads to a heading of its own", async () => {
  await open();
  const links = within(screen.getByRole("navigation", { name: "Contents" })).getAllByRole("link");
  const ids = links.map((link) => link.getAttribute("href")?.split("#")[1] ?? "");
  expect(new Set(ids).size).toBe(links.length);
  for (const [index, id] of ids.entries()) {
    expect(document.getElementById(id)).toHaveTextContent(links[index]?.textContent ?? "–");
  }
  expect(ids).toEqual(expect.arrayContaining(["privacy-policy", "terms-of-use"]));
});

it("an anchor in the address is gone to at the load", async () => {
  await open("/policy#terms-of-use");
  await waitFor(() => expect(screen.getByRole("heading", { name: "Terms of use" })).toHaveFocus());
  expect(current()).toEqual(["Terms of use"]);
});

it("a click moves the focus to the heading and marks the entry, each time", async () => {
  const { user } = await open();
  const link = screen.getByRole("link", { name: "Governing law" });
  for (let click = 0; click < 2; click += 1) {
    await user.click(link);
    await waitFor(() =>
      expect(screen.getByRole("heading", { name: "Governing law" })).toHaveFocus(),
    );
    expect(current()).toEqual(["Governing law"]);
  }
});
