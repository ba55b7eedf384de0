import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { answerAlert } from "@/test/render";
import { answer, refuse } from "@/test/server";
import { openShop, product, storedBasket } from "./testing";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

const catalogue = [
  product("A"),
  product("B"),
  product("NONE", { qty: 0, selectable: 0, availability: "Sold out" }),
];

function recent(details: { sku: string; count: number }[]) {
  return answer("get", "/recent/order/{uuid}/{n}", {
    success: 1,
    result: [
      {
        invoice_code: "MHW-261112-0398",
        build_date: "2026-11-12",
        total: 6820.4,
        count: 14,
        details,
      },
    ],
  });
}

async function chooseRecent(user: { click: (element: Element) => Promise<void> }) {
  await user.click(await screen.findByRole("button", { name: "Recent Orders" }));
  const entry = await screen.findByRole("menuitem");
  expect(entry).toHaveTextContent("MHW-261112-0398$6,820.402026-11-1214 products");
  await user.click(entry);
}

it("replaces the basket by a recent order and names what was left out", async () => {
  const calls = recent([
    { sku: "B", count: 20 },
    { sku: "NONE", count: 10 },
    { sku: "B", count: 10 },
    { sku: "GONE", count: 10 },
  ]);
  const { user, where } = openShop({ catalogue, basket: [["A", 10]] });
  await chooseRecent(user);
  await waitFor(() => expect(storedBasket()).toEqual([{ sku: "B", count: 30 }]));
  expect(
    await screen.findByText("Left out because they cannot be ordered now: Name of NONE, GONE"),
  ).toBeVisible();
  expect(calls[0]?.params.n).toBe("5");
  await waitFor(() => expect(where()).toBe("/order?panel=basket"));
  await user.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(screen.queryByText(/Left out/)).toBeNull();
});

it("takes a Reset back by the toast's button, and keeps what was selected since", async () => {
  const { user } = openShop({ catalogue, basket: [["A", 30]] });
  await screen.findByRole("spinbutton", { name: "Quantity, Name of A" });
  await user.click(await screen.findByRole("button", { name: "Reset" }));
  expect(storedBasket()).toEqual([]);
  await user.click(await screen.findByRole("button", { name: "Select, Name of B" }));
  expect(screen.getByText("Basket emptied.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(storedBasket()).toEqual([
    { sku: "A", count: 30 },
    { sku: "B", count: 10 },
  ]);
  expect(screen.queryByText("Basket emptied.")).toBeNull();
});

it("takes a recent order back by Ctrl+Z, but not while a field has the focus", async () => {
  recent([{ sku: "B", count: 20 }]);
  const { user } = openShop({ catalogue, basket: [["A", 10]] });
  await chooseRecent(user);
  await screen.findByText("Basket replaced.");
  await user.click(screen.getByRole("searchbox", { name: "Search brand" }));
  await user.keyboard("{Control>}z{/Control}");
  expect(storedBasket()).toEqual([{ sku: "B", count: 20 }]);
  await user.click(document.body);
  await user.keyboard("{Control>}z{/Control}");
  expect(storedBasket()).toEqual([{ sku: "A", count: 10 }]);
});

it("offers no Undo where nothing was lost", async () => {
  const { user } = openShop({ catalogue });
  await screen.findByText("Your basket is empty");
  await user.click(await screen.findByRole("button", { name: "Reset" }));
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
});

it("keeps the basket if nothing of the order can be had", async () => {
  recent([
    { sku: "NONE", count: 10 },
    { sku: "GONE", count: 10 },
  ]);
  const { user } = openShop({ catalogue, basket: [["A", 10]] });
  await chooseRecent(user);
  await answerAlert(user, "Order information that is currently unavailable for retrieval.");
  expect(storedBasket()).toEqual([{ sku: "A", count: 10 }]);
});

it("says beside the button that a recent order could not be looked up", async () => {
  recent([{ sku: "A", count: 10 }]);
  const { user } = openShop({ catalogue });
  await screen.findByText("Your basket is empty");
  refuse("post", "/product/cart/stock", { status: 502 });
  await chooseRecent(user);
  expect(await screen.findByText("That did not work. Please try again.")).toBeVisible();
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

it("downloads the price list under its name", async () => {
  const lists = answer("get", "/excel/product-setting/{uuid}", { success: 1, result: [] });
  const saved: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, "click").mockImplementation(function (
    this: HTMLAnchorElement,
  ) {
    saved.push(this.download);
  });
  URL.createObjectURL = () => "blob:price-list";
  const { user } = openShop();
  await user.click(await screen.findByRole("button", { name: "Price list" }));
  expect(await screen.findByText("Price_List.xlsx downloaded")).toBeVisible();
  expect(saved).toEqual(["Price_List.xlsx"]);
  expect(lists[0]?.url.searchParams.get("format")).toBe("xlsx");
});

it.each([
  { status: 502, text: "That did not work. Please try again." },
  { status: 429, text: "Too many attempts. Please wait a moment." },
])("says beside the button that the price list failed with $status", async ({ status, text }) => {
  refuse("get", "/excel/product-setting/{uuid}", { status });
  const { user } = openShop();
  await user.click(await screen.findByRole("button", { name: "Price list" }));
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.queryByRole("alertdialog")).toBeNull();
});
