import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { PHONE } from "@/shared/use-media";
import { answerAlert } from "@/test/render";
import { answer, refuse } from "@/test/server";
import { basketOf, openShop, product, storedBasket } from "../testing";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

const catalogue = [
  product("A"),
  product("B"),
  product("NONE", { qty: 0, selectable: 0, availability: "Sold out" }),
];

interface Former {
  sku: string;
  count: number;
  notes?: string[];
}

/** What an earlier order holds, as the server says it can be ordered now. */
function former(...lines: Former[]) {
  const known = (sku: string) => catalogue.find((one) => one.sku === sku) ?? null;
  return answer("get", "/order-again", {
    success: 1,
    lines: lines.map(({ sku, count, notes = [] }) => ({
      ...{ sku, count, notes, eng_name: known(sku)?.eng_name ?? "Gone product" },
      product: known(sku),
    })),
  });
}

function recent(...lines: Former[]) {
  former(...lines);
  return answer("get", "/recent/order/{uuid}/{n}", {
    success: 1,
    result: [
      {
        invoice_code: "MHW-261112-0398",
        build_date: "2026-11-12",
        total: 6820.4,
        count: 14,
        details: [],
      },
    ],
  });
}

async function chooseRecent(user: { click: (element: Element) => Promise<void> }) {
  await user.click(await screen.findByRole("button", { name: "Recent Orders" }));
  const entry = await screen.findByRole("menuitem");
  expect(entry).toHaveTextContent("MHW-261112-0398$6,820.4012 Nov 202614 products");
  await user.click(entry);
}

const GONE = { sku: "GONE", count: 0, notes: ["Left out: no longer in your price list."] };
const NONE = { sku: "NONE", count: 0, notes: ["Left out: cannot be ordered now (Sold out)."] };

it("replaces the basket by a recent order and names what is not as before", async () => {
  const fewer = { sku: "B", count: 30, notes: ["30 instead of 40: only 35 in stock."] };
  const calls = recent(fewer, NONE, GONE);
  const { user, where } = openShop({ catalogue, basket: { A: 10 } });
  await chooseRecent(user);
  await waitFor(() => expect(storedBasket()).toEqual(basketOf({ B: 30 })));
  const notes = (await screen.findByText("3 changes since last time")).parentElement;
  expect(
    within(notes as HTMLElement)
      .getAllByRole("listitem")
      .map((item) => item.textContent),
  ).toEqual([
    "Name of B 30 instead of 40: only 35 in stock.",
    "Name of NONE Left out: cannot be ordered now (Sold out).",
    "Gone product Left out: no longer in your price list.",
  ]);
  expect(calls[0]?.params.n).toBe("5");
  await waitFor(() => expect(where()).toBe("/order?panel=basket"));
  await user.click(screen.getByRole("button", { name: "Dismiss" }));
  expect(screen.queryByText(/since last time/)).toBeNull();
});

it("orders a month again by its link, once, and takes that back", async () => {
  const asked = former({ sku: "B", count: 20 }, NONE);
  const { user, where } = openShop({ catalogue, at: "/order?again=2026-10&panel=basket" });
  expect(await screen.findByText("1 product put into the basket.")).toBeVisible();
  expect(storedBasket()).toEqual(basketOf({ B: 20 }));
  expect(asked.map(({ url }) => url.search)).toEqual(["?month=2026-10"]);
  await waitFor(() => expect(where()).toBe("/order?panel=basket"));
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(storedBasket()).toEqual([]);
  expect(screen.queryByText(/since last time/)).toBeNull();
});

it.each([
  {
    button: "Add to them",
    lines: basketOf({ A: 30, B: 20 }),
  },
  {
    button: "Replace them",
    lines: basketOf({ A: 20, B: 20 }),
  },
])("asks what becomes of the basket when an order is ordered again: $button", async (how) => {
  const asked = former({ sku: "A", count: 20 }, { sku: "B", count: 20 });
  const { user } = openShop({ catalogue, basket: { A: 10 }, at: "/order?again=MHW-1" });
  await user.click(await screen.findByRole("button", { name: how.button }));
  expect(storedBasket()).toEqual(how.lines);
  expect(asked.map(({ url }) => url.search)).toEqual(["?invoice_code=MHW-1"]);
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  expect(storedBasket()).toEqual(basketOf({ A: 10 }));
});

it("adds one line of an order without a question", async () => {
  const asked = former({ sku: "B", count: 20 });
  openShop({ catalogue, basket: { A: 10 }, at: "/order?again=MHW-1&sku=B" });
  await waitFor(() => expect(storedBasket()).toEqual(basketOf({ A: 10, B: 20 })));
  expect(asked.map(({ url }) => url.search)).toEqual(["?invoice_code=MHW-1&sku=B"]);
});

it("says that nothing can be ordered of an order that it does not find", async () => {
  refuse("get", "/order-again", {
    status: 404,
    body: { code: "not_found", message: "Not found." },
  });
  const { user, where } = openShop({ catalogue, at: "/order?again=MHW-9" });
  await answerAlert(user, "Order information that is currently unavailable for retrieval.");
  expect(where()).toBe("/order");
});

it("takes a Reset back by the toast's button, and keeps what was selected since", async () => {
  const { user } = openShop({ catalogue, basket: { A: 30 } });
  await screen.findByRole("spinbutton", { name: "Quantity, Name of A" });
  await user.click(await screen.findByRole("button", { name: "Reset" }));
  expect(storedBasket()).toEqual([]);
  await user.click(await screen.findByRole("button", { name: "Select, Name of B" }));
  expect(screen.getByText(/^Basket emptied\. Kept as “Before Reset, \d\d:\d\d”\.$/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(storedBasket()).toEqual(basketOf({ A: 30, B: 10 }));
  expect(screen.queryByText(/^Basket emptied/)).toBeNull();
});

it("takes a recent order back by Ctrl+Z, but not while a field has the focus", async () => {
  recent({ sku: "B", count: 20 });
  const { user } = openShop({ catalogue, basket: { A: 10 } });
  await chooseRecent(user);
  await screen.findByText(/^Basket replaced\. Kept as “Before Recent Orders, /);
  await user.click(screen.getByRole("searchbox", { name: "Search brand" }));
  await user.keyboard("{Control>}z{/Control}");
  expect(storedBasket()).toEqual(basketOf({ B: 20 }));
  await user.click(document.body);
  await user.keyboard("{Control>}z{/Control}");
  expect(storedBasket()).toEqual(basketOf({ A: 10 }));
});

it("offers no Undo where nothing was lost", async () => {
  const { user } = openShop({ catalogue });
  await screen.findByText("Your basket is empty");
  await user.click(await screen.findByRole("button", { name: "Reset" }));
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
});

it("keeps the basket if nothing of the order can be had", async () => {
  recent(NONE, GONE);
  const { user } = openShop({ catalogue, basket: { A: 10 } });
  await chooseRecent(user);
  await answerAlert(user, "Order information that is currently unavailable for retrieval.");
  expect(storedBasket()).toEqual(basketOf({ A: 10 }));
});

it("says beside the button that a recent order could not be looked up", async () => {
  recent({ sku: "A", count: 10 });
  const { user } = openShop({ catalogue });
  await screen.findByText("Your basket is empty");
  refuse("get", "/order-again", { status: 502 });
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

it("has all actions and Recent Orders behind More on a phone", async () => {
  vi.spyOn(window, "matchMedia").mockImplementation(
    (media) =>
      ({
        matches: media === PHONE,
        media,
        addEventListener: () => undefined,
        removeEventListener: () => undefined,
      }) as unknown as MediaQueryList,
  );
  const { user } = openShop({ catalogue: [product("A")], basket: { A: 10 } });
  recent();
  await user.click(await screen.findByRole("button", { name: "More" }));
  expect(screen.queryByRole("button", { name: "Reset" })).toBeNull();
  expect(await screen.findByText("Recent Orders")).toBeVisible();
  await screen.findByText("MHW-261112-0398");
  const entries = screen.getAllByRole("menuitem");
  expect(entries.map(({ textContent }) => textContent)).toEqual([
    "Price list",
    "Reset",
    "Order from a list",
    "Save this basket as …",
    "MHW-261112-0398$6,820.4012 Nov 202614 products",
  ]);
  await user.click(screen.getByRole("menuitem", { name: "Reset" }));
  expect(storedBasket()).toEqual([]);
  await waitFor(() => expect(screen.getByRole("button", { name: "More" })).toHaveFocus());
});
