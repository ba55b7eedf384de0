import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { answer, refuse } from "@/test/server";
import { openShop, product } from "./testing";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

const rowOf = async (sku: string) => {
  const name = await screen.findByText(`Name of ${sku}`);
  return within(name.closest("li") as HTMLElement);
};

it.each([
  { availability: "On sale", selectable: 1, button: "Select" },
  { availability: "Sold out", selectable: 0, button: "Soldout" },
  { availability: "Discontinued", selectable: 1, button: "Select" },
  { availability: "Contact us", selectable: 0, button: "Soldout" },
] as const)("shows $availability with $button", async ({ availability, selectable, button }) => {
  openShop({ catalogue: [product("A", { availability, selectable })] });
  const row = await rowOf("A");
  expect(row.getByText(availability)).toBeVisible();
  const choice = row.getByRole("button", { name: `${button}, Name of A` });
  expect(choice).toHaveProperty("disabled", button === "Soldout");
  expect(row.getByText("$30.00")).toBeVisible();
  expect(row.getByText("$12.50")).toBeVisible();
});

it("draws some rows of 10,000 products, and asks for the next page near the end", async () => {
  const catalogue = Array.from({ length: 10_000 }, (_, index) => product(`P${index}`));
  const { lists, container } = openShop({ catalogue });
  await rowOf("P0");
  expect(screen.getAllByRole("listitem").filter(inProducts).length).toBeLessThanOrEqual(22);
  expect(container.querySelectorAll("*").length).toBeLessThan(1500);
  const first = (await screen.findByText("Name of P0")).closest("li");
  expect(first).toHaveAttribute("aria-setsize", "10000");
  expect(first).toHaveAttribute("aria-posinset", "1");
  expect(lists).toHaveLength(1);

  const scroller = first?.parentElement?.parentElement as HTMLElement;
  scroller.scrollTop = 45 * 76;
  fireEvent.scroll(scroller);
  await waitFor(() => expect(lists).toHaveLength(2));
  expect(lists[1]?.url.searchParams.get("after")).toBe("50");
  await rowOf("P51");
});

function inProducts(row: HTMLElement) {
  return row.hasAttribute("aria-posinset");
}

it("lists a brand, a promotion, and all again; the address keeps the choice", async () => {
  const catalogue = [product("A"), product("B", { brand_id: 2 })];
  const { user, where, promotions } = openShop({ catalogue });
  await rowOf("A");
  await user.click(await screen.findByRole("button", { name: "Bomnal Botanics" }));
  await rowOf("B");
  expect(where()).toBe("/order?brand=2");
  expect(screen.getByRole("heading", { name: "Bomnal Botanics" })).toBeVisible();
  expect(screen.queryByText("Name of A")).toBeNull();
  const chosen = screen.getByRole("button", { name: "Bomnal Botanics" });
  expect(chosen).toHaveAttribute("aria-current", "true");

  await user.click(screen.getByRole("button", { name: "Promotion" }));
  await waitFor(() => expect(promotions).toHaveLength(1));
  await user.click(screen.getByRole("button", { name: "All products" }));
  await rowOf("A");
  expect(where()).toBe("/order");
});

it("filters the brands in place", async () => {
  const { user } = openShop();
  await screen.findByRole("button", { name: "Aurelle Skin" });
  await user.type(screen.getByLabelText("Search brand"), " BOM");
  expect(screen.queryByRole("button", { name: "Aurelle Skin" })).toBeNull();
  expect(screen.getByRole("button", { name: "Bomnal Botanics" })).toBeVisible();
});

it("searches on the server once the typing pauses", async () => {
  const { user, lists } = openShop({ catalogue: [product("A"), product("B")] });
  await rowOf("A");
  await user.type(screen.getByLabelText("Search product name or SKU"), "of b");
  await waitFor(() => expect(screen.queryByText("Name of A")).toBeNull());
  await rowOf("B");
  expect(lists.map(({ url }) => url.searchParams.get("search"))).toEqual([null, "of b"]);
});

it("says when nothing is found", async () => {
  openShop();
  expect(await screen.findByText("No products found.")).toBeVisible();
});

it("opens no alert when the list fails, and tries again in place", async () => {
  const { user } = openShop();
  refuse("get", "/product/stock/{uuid}/{brand_id}", { status: 502 });
  expect(await screen.findByText("That did not work. Please try again.")).toBeVisible();
  expect(screen.queryByRole("alertdialog")).toBeNull();

  answer("get", "/product/stock/{uuid}/{brand_id}", {
    success: 1,
    result: [product("A")],
    page: 1,
    has_next: false,
    next: null,
    total: 1,
  });
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await rowOf("A");
});

it("opens the picture with the product's figures", async () => {
  const { user } = openShop({ catalogue: [product("A")] });
  await user.click(await screen.findByRole("button", { name: "Show Name of A" }));
  const popup = within(await screen.findByRole("dialog", { name: "Name of A" }));
  expect(popup.getByText("Aurelle Skin")).toBeVisible();
  expect(popup.getByText("On sale")).toBeVisible();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(screen.getByRole("button", { name: "Show Name of A" })).toHaveFocus());
});

it("shows one panel at a time on a phone; a brand leads to its products", async () => {
  const { user, where, container } = openShop({ catalogue: [product("A")] });
  await rowOf("A");
  const panel = () => container.querySelector("[data-panel]")?.getAttribute("data-panel");
  expect(panel()).toBe("products");
  await user.click(screen.getByRole("radio", { name: "Brands" }));
  expect(panel()).toBe("brands");
  await user.click(screen.getByRole("button", { name: "Aurelle Skin" }));
  expect(panel()).toBe("products");
  await user.click(screen.getByRole("button", { name: "Order basket" }));
  expect(where()).toBe("/order?brand=1&panel=basket");
});
