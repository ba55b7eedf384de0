import { onlineManager } from "@tanstack/react-query";
import { act, fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { answer, refuse } from "@/test/server";
import { basketOf, openShop, product, storedBasket } from "../testing";

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

  const scroller = document.documentElement;
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
  await user.click(await screen.findByRole("option", { name: "Bomnal Botanics" }));
  await rowOf("B");
  expect(where()).toBe("/order?brand=2");
  expect(screen.getByRole("heading", { name: "Bomnal Botanics" })).toBeVisible();
  expect(screen.queryByText("Name of A")).toBeNull();
  const chosen = screen.getByRole("option", { name: "Bomnal Botanics" });
  expect(chosen).toHaveAttribute("aria-selected", "true");

  await user.click(screen.getByRole("option", { name: "Promotion" }));
  await waitFor(() => expect(promotions).toHaveLength(1));
  await user.click(screen.getByRole("option", { name: "All products" }));
  await rowOf("A");
  expect(where()).toBe("/order");
});

it("leads through brands and products by arrows, each list one stop of the Tab key", async () => {
  const { user } = openShop({
    catalogue: [product("A"), product("B", { selectable: 0 }), product("C")],
  });
  await rowOf("A");
  const all = await screen.findByRole("option", { name: "All products" });
  const brands = within(screen.getByRole("listbox", { name: "Brands" }));
  await brands.findByRole("option", { name: "Aurelle Skin" });
  expect(brands.getAllByRole("option").filter(({ tabIndex }) => tabIndex === 0)).toEqual([all]);
  all.focus();
  await user.keyboard("{ArrowDown}");
  expect(brands.getByRole("option", { name: "Aurelle Skin" })).toHaveFocus();
  await user.keyboard("{End}{ArrowDown}{Home}");
  expect(brands.getByRole("option", { name: "Promotion" })).toHaveFocus();

  const stops = screen
    .getAllByRole("button", { name: /Name of/ })
    .filter(({ tabIndex }) => tabIndex === 0);
  expect(stops).toEqual([screen.getByRole("button", { name: "Select, Name of A" })]);
  stops[0]?.focus();
  await user.keyboard("{ArrowLeft}");
  expect(screen.getByLabelText("Pieces of Name of A")).toHaveFocus();
  await user.keyboard("{ArrowLeft}");
  expect(screen.getByRole("button", { name: "Show Name of A" })).toHaveFocus();
  await user.keyboard("{ArrowRight}{ArrowRight}{ArrowDown}");
  // What cannot be selected has its picture alone.
  await waitFor(() => expect(screen.getByRole("button", { name: "Show Name of B" })).toHaveFocus());
  await user.keyboard("{ArrowDown}");
  await waitFor(() =>
    expect(screen.getByRole("button", { name: "Select, Name of C" })).toHaveFocus(),
  );
});

it("takes pieces before Select, by Enter too, and changes those of the basket", async () => {
  const { user } = openShop({
    catalogue: [product("A"), product("B"), product("C", { selectable: 0 })],
  });
  await rowOf("A");
  await user.type(screen.getByLabelText("Pieces of Name of A"), "60");
  expect(storedBasket()).toBeNull();
  await user.click(screen.getByRole("button", { name: "Select, Name of A" }));
  expect(storedBasket()).toEqual(basketOf({ A: 60 }));
  const pieces = screen.getByLabelText("Pieces of Name of A");
  expect(pieces).toHaveValue(60);

  pieces.focus();
  await user.keyboard("70{Enter}");
  expect(screen.getByLabelText("Pieces of Name of B")).toHaveFocus();
  await user.keyboard("25{Enter}");
  expect(storedBasket()).toEqual(basketOf({ A: 70, B: 25 }));
  expect(screen.queryByLabelText("Pieces of Name of C")).toBeNull();
});

it("shows without a connection what was seen of each brand, and how old it is", async () => {
  const catalogue = [product("A"), product("B", { brand_id: 2 })];
  const { user } = openShop({ catalogue });
  await rowOf("A");
  await user.click(await screen.findByRole("option", { name: "Bomnal Botanics" }));
  await waitFor(() => expect(screen.queryByText("Name of A")).toBeNull());
  act(() => onlineManager.setOnline(false));
  refuse("get", "/product/stock/{uuid}/{brand_id}", { status: 502 });
  await user.click(screen.getByRole("option", { name: "All products" }));
  await rowOf("A");
  expect(screen.getByText(/^As of \d\d:\d\d$/)).toBeVisible();
});

it("asks anew for the first page alone of a list that was seen before", async () => {
  const catalogue = Array.from({ length: 120 }, (_, index) => product(`P${index}`));
  const { user, lists } = openShop({ catalogue });
  await screen.findByText("Name of P0");
  const scroller = document.documentElement;
  scroller.scrollTop = 45 * 76;
  fireEvent.scroll(scroller);
  await waitFor(() => expect(lists).toHaveLength(2));
  await user.click(await screen.findByRole("option", { name: "Bomnal Botanics" }));
  await screen.findByText("No products found.");
  vi.useFakeTimers({ toFake: ["Date"], now: Date.now() + 60_000 });
  await user.click(screen.getByRole("option", { name: "All products" }));
  await rowOf("P0");
  await waitFor(() => expect(lists).toHaveLength(4));
  vi.useRealTimers();
  expect(lists.map(({ url }) => url.searchParams.get("after"))).toEqual([null, "50", null, null]);
});

it("filters the brands in place", async () => {
  const { user } = openShop();
  await screen.findByRole("option", { name: "Aurelle Skin" });
  await user.type(screen.getByLabelText("Search brand"), " BOM");
  expect(screen.queryByRole("option", { name: "Aurelle Skin" })).toBeNull();
  expect(screen.getByRole("option", { name: "Bomnal Botanics" })).toBeVisible();
});

it("searches on the server once the typing pauses", async () => {
  const { user, lists, where } = openShop({ catalogue: [product("A"), product("B")] });
  await rowOf("A");
  await user.type(screen.getByLabelText("Search product name or SKU"), "of b");
  await waitFor(() => expect(screen.queryByText("Name of A")).toBeNull());
  await rowOf("B");
  expect(lists.map(({ url }) => url.searchParams.get("search"))).toEqual([null, "of b"]);
  await waitFor(() => expect(where()).toBe("/order?search=of+b"));

  // Another brand begins without it.
  await user.click(screen.getByRole("option", { name: "Aurelle Skin" }));
  await rowOf("A");
  expect(where()).toBe("/order?brand=1");
  expect(screen.getByLabelText("Search product name or SKU")).toHaveValue("");
});

it("opens what the address searches for, sorts and filters", async () => {
  const catalogue = [product("A"), product("B")];
  const { lists } = openShop({ catalogue, at: "/order?search=of+b&sort=new&in_stock=x" });
  await rowOf("B");
  expect(screen.queryByText("Name of A")).toBeNull();
  expect(screen.getByLabelText("Search product name or SKU")).toHaveValue("of b");
  expect(screen.getByLabelText("Sort products by")).toHaveDisplayValue("New");
  expect(screen.getByRole("button", { name: "In stock only", pressed: false })).toBeVisible();
  expect(lists.map(({ url }) => url.search)).toEqual(["?search=of%20b&sort=new"]);
});

it("returns to the row that the history entry keeps, loading the pages up to it", async () => {
  window.history.replaceState({ row: 120.5 }, "");
  const catalogue = Array.from({ length: 300 }, (_, index) => product(`P${index}`));
  const { lists } = openShop({ catalogue });
  await waitFor(() => expect(lists.length).toBeGreaterThanOrEqual(3));
  const scroller = document.documentElement;
  await waitFor(() => expect(scroller.scrollTop).toBe(120.5 * 76));

  scroller.scrollTop = 10 * 76;
  fireEvent.scroll(scroller);
  await waitFor(() => expect(window.history.state).toEqual({ row: 10 }));
});

it("suggests brands and products where a search finds nothing", async () => {
  const { user, where } = openShop({ catalogue: [product("A")] });
  const asked = answer("get", "/product/like/{uuid}", {
    success: 1,
    brands: [{ brand_id: 2, eng: "Bomnal Botanics" }],
    products: [product("B")],
  });
  await rowOf("A");
  await user.type(screen.getByLabelText("Search product name or SKU"), "craem");
  expect(await screen.findByText("No match for “craem”. Did you mean:")).toBeVisible();
  expect(asked.map(({ url }) => url.search)).toEqual(["?search=craem"]);
  await user.click((await rowOf("B")).getByRole("button", { name: "Select, Name of B" }));
  expect(storedBasket()).toEqual(basketOf({ B: 10 }));

  const like = within(screen.getByRole("region", { name: "Close matches" }));
  await user.click(like.getByRole("button", { name: "Bomnal Botanics" }));
  expect(where()).toBe("/order?brand=2");
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
    total_is_least: false,
  });
  await user.click(screen.getByRole("button", { name: "Try again" }));
  await rowOf("A");
});

it("keeps a wish from the picture, and the focus where it was", async () => {
  answer("post", "/account/wishes", { success: 1 });
  const gone = product("A", { qty: 0, selectable: 0, availability: "Sold out" });
  const { user } = openShop({ catalogue: [gone] });
  await user.click(await screen.findByRole("button", { name: "Show Name of A" }));
  const popup = within(await screen.findByRole("dialog", { name: "Name of A" }));
  await user.click(popup.getByRole("button", { name: "Notify me when it is back: Name of A" }));
  const kept = await popup.findByRole("button", { name: "On your waiting list: Name of A" });
  expect(kept).toHaveFocus();
  expect(kept).toHaveAttribute("aria-disabled", "true");
  expect(kept).toBeEnabled();
});

it("offers a wish in the row of what is sold out, and of nothing else", async () => {
  const wishes = answer("post", "/account/wishes", { success: 1 });
  const out = { qty: 0, selectable: 0 } as const;
  const catalogue = [
    product("A", { ...out, availability: "Sold out", moq: 30 }),
    product("B", { ...out, availability: "Discontinued" }),
    product("C", { ...out, availability: "Contact us" }),
    product("D", { qty: 0, selectable: 1, availability: "Sold out" }),
  ];
  const { user } = openShop({ catalogue });
  const row = await rowOf("A");
  const tell = await row.findByRole("button", { name: "Notify me when it is back: Name of A" });
  expect(tell).toHaveTextContent("Notify me");
  for (const sku of ["B", "C", "D"])
    expect((await rowOf(sku)).queryByRole("button", { name: /^Notify me/ })).toBeNull();
  await user.click(tell);
  const kept = await row.findByRole("button", { name: "On your waiting list: Name of A" });
  expect(kept).toHaveTextContent("On the list");
  expect(kept).toHaveFocus();
  expect(wishes.map(({ body }) => body)).toEqual(basketOf({ A: 30 }));
});

it("makes the field of the pieces as wide as what it holds", async () => {
  const { user } = openShop({ catalogue: [product("A")] });
  const pieces = (await rowOf("A")).getByRole("spinbutton");
  await user.type(pieces, "1000000");
  expect(pieces.style.getPropertyValue("--digits")).toBe("7");
});

it("marks a promotion, and says what the product costs without it", async () => {
  openShop({
    catalogue: [
      product("A", { usual_price: 15.3, price_until: "2026-12-01T00:00:00Z" }),
      product("B"),
    ],
  });
  const row = await rowOf("A");
  expect(row.getByLabelText("Promotion")).toBeVisible();
  expect(row.getByText("$15.30")).toBeVisible();
  expect(row.getByText("30 Nov")).toBeVisible();
  expect((await rowOf("B")).queryByLabelText("Promotion")).toBeNull();
});

it("opens the picture with the product's figures", async () => {
  const { user } = openShop({ catalogue: [product("A", { ean: "4006381333931" })] });
  await user.click(await screen.findByRole("button", { name: "Show Name of A" }));
  const popup = within(await screen.findByRole("dialog", { name: "Name of A" }));
  expect(popup.getByText("Aurelle Skin")).toBeVisible();
  expect(popup.getByText("4006381333931")).toBeVisible();
  expect(popup.getByText("On sale")).toBeVisible();
  await user.click(popup.getByRole("button", { name: "Select" }));
  await user.click(popup.getByRole("button", { name: "More of Name of A" }));
  expect(storedBasket()).toEqual(basketOf({ A: 20 }));
  await user.click(popup.getByRole("button", { name: "Cancel" }));
  expect(storedBasket()).toEqual([]);
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
  await user.click(screen.getByRole("option", { name: "Aurelle Skin" }));
  expect(panel()).toBe("products");
  await user.click(screen.getByRole("button", { name: "Order basket" }));
  expect(where()).toBe("/order?brand=1&panel=basket");
});

it("sorts and filters on the server, and keeps that in the address", async () => {
  const { user, lists, where } = openShop({ catalogue: [product("A"), product("B")] });
  await rowOf("A");
  expect(screen.getByText("2 products")).toBeVisible();
  await user.selectOptions(screen.getByLabelText("Sort products by"), "Price");
  await user.click(screen.getByRole("button", { name: "In stock only" }));
  await waitFor(() => expect(where()).toBe("/order?sort=price&in_stock=1"));
  await waitFor(() => expect(lists.at(-1)?.url.search).toBe("?sort=price&in_stock=1"));
  const chip = screen.getByRole("button", { name: "In stock only" });
  expect(chip).toHaveAttribute("aria-pressed", "true");
  await user.click(chip);
  await waitFor(() => expect(where()).toBe("/order?sort=price"));

  // It holds for the next brand too.
  await user.click(screen.getByRole("option", { name: "Aurelle Skin" }));
  await rowOf("A");
  expect(lists.at(-1)?.url.search).toBe("?sort=price");
});

it("says that there are more than are counted", async () => {
  const { user } = openShop({ catalogue: [product("A"), product("B")] });
  await rowOf("A");
  expect(screen.getByText("2 products")).toBeVisible();
  const found = { result: [product("C")], page: 1, has_next: false, next: null };
  answer("get", "/product/stock/{uuid}/{brand_id}", {
    ...found,
    ...{ success: 1, total: 10_000, total_is_least: true },
  });
  await user.type(screen.getByLabelText("Search product name or SKU"), "serum");
  expect(await screen.findByText("More than 10,000 products")).toBeVisible();
  const row = (await screen.findByText("Name of C")).closest("li");
  expect(row).toHaveAttribute("aria-setsize", "-1");
});
