import { screen, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { answer } from "@/test/server";
import "./ListDialog";
import { openShop, product, storedBasket } from "../testing";
import { changed, fromReview, readyLines } from "./list-review";
import { rowsName } from "./list-rows";
import { answerReview, answerSheet, chooseFile, dialog, FIX, reviewed } from "./testing-list";

beforeEach(() => {
  // jsdom lays nothing out: rows need a height to be told from each other.
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(96);
});

const FINE = reviewed(3, "A");
const HIDDEN = reviewed(4, "B", {
  problems: [
    {
      code: "hidden_row",
      text: "Row 4 is hidden in your sheet.",
      fixes: [{ ...FIX, text: "Order it too" }],
    },
  ],
});
const PARTLY = reviewed(5, "D", {
  rows: [5, 6],
  count: 50,
  problems: [
    {
      code: "hidden_row",
      text: "Row 6 is hidden in your sheet: 50 pieces with what is hidden, 20 without.",
      fixes: [
        { ...FIX, text: "Change to 50", count: 50 },
        { ...FIX, text: "Change to 20", count: 20 },
      ],
    },
  ],
});
const catalogue = [product("A"), product("B"), product("D")];

const ten = (sku: string) => ({ sku, count: 10 });

async function opened(lines = [FINE, HIDDEN, PARTLY]) {
  answerReview(lines);
  answerSheet();
  const { user } = openShop({ catalogue });
  await chooseFile(user);
  return { user, popup: within(await dialog()) };
}

it.each([
  ["Order them too: Hidden in your sheet", 3, [ten("A"), ten("B"), { sku: "D", count: 50 }]],
  ["Leave them out: Hidden in your sheet", 2, [ten("A"), { sku: "D", count: 20 }]],
])("asks once about what is hidden in the sheet: %s", async (button, many, lines) => {
  const { user, popup } = await opened();
  expect(await popup.findByText("2 lines are hidden in your sheet: order them too?")).toBeVisible();
  expect(popup.getByRole("button", { name: "Put 1 line into the basket" })).toBeEnabled();
  await user.click(popup.getByRole("button", { name: button }));
  await user.click(popup.getByRole("button", { name: `Put ${many} lines into the basket` }));
  expect(storedBasket()).toEqual(lines);
  expect(await screen.findByRole("button", { name: "Download" })).toBeEnabled();
});

it("asks about a hidden line by itself", async () => {
  const { user, popup } = await opened([HIDDEN]);
  expect(await popup.findByText("1 line is hidden in your sheet: order it too?")).toBeVisible();
  await user.click(popup.getByRole("button", { name: "Order it too: Name of B" }));
  expect(popup.getByRole("button", { name: "Put 1 line into the basket" })).toBeEnabled();
});

it("shows the rows that were passed over, with what stands there and why", async () => {
  const passed = [
    { row: 1, text: "Bestellung KW 48", why: "Headings." },
    { row: 9, text: "AQ-1010 · Green Plum Toner", why: "No quantity." },
    { row: 10_000_002, text: "–", why: "On the tab “Lager”, which is no order." },
    { row: 20_000_000, text: "Old", why: "On the hidden tab “Old”." },
  ];
  const passed_why = [
    { why: "No quantity.", rows: 1201 },
    { why: "Headings.", rows: 1 },
    { why: "On the tab “Lager”, which is no order.", rows: 1 },
    { why: "On the hidden tab “Old”.", rows: 1 },
  ];
  answerReview([FINE], 1203, [], { passed, passed_why });
  const { user } = openShop({ catalogue });
  await chooseFile(user);
  const popup = within(await dialog());
  const toggle = await popup.findByRole("button", { name: "1,204 rows were passed over" });
  expect(popup.queryByText("Bestellung KW 48")).toBeNull();
  await user.click(toggle);
  expect(toggle).toHaveAttribute("aria-expanded", "true");
  const rows = within(popup.getByRole("list", { name: "Rows that were passed over" }));
  expect(rows.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "Row 1Bestellung KW 48Headings.",
    "Row 9AQ-1010 · Green Plum TonerNo quantity.",
    "Tab 2, row 2–On the tab “Lager”, which is no order.",
    "Hidden tabOldOn the hidden tab “Old”.",
  ]);
  expect(popup.getByText("1,200 more rows: No quantity.")).toBeVisible();
  await user.click(toggle);
  expect(popup.getByText("Name of A")).toBeVisible();
});

it("asks how many pieces the cartons of a sheet's row are", async () => {
  const text = "Quantity: 2 cartons: how many pieces is that?";
  const problems = [{ code: "bad_quantity" as const, text, fixes: [] }];
  const { user, popup } = await opened([reviewed(4, "B", { count: 0, problems })]);
  answer("post", "/account/own-codes", { success: 1, line: reviewed(4, "B", { count: 40 }) });
  await user.type(await popup.findByLabelText("Pieces of Name of B"), "40");
  await user.click(popup.getByRole("button", { name: "Enter it" }));
  expect(await popup.findByRole("button", { name: "Put 1 line into the basket" })).toBeEnabled();
});

it("says nothing of headings alone", async () => {
  answerReview([FINE], 0, [], {
    passed: [{ row: 1, text: "SKU", why: "Headings." }],
    passed_why: [{ why: "Headings.", rows: 1 }],
  });
  const { user } = openShop({ catalogue });
  await chooseFile(user);
  expect(await screen.findByText("1 line fine")).toBeVisible();
  expect(screen.queryByRole("button", { name: /passed over/ })).toBeNull();
});

const UNKNOWN = reviewed(7, "NOPE", {
  rows: [7, 9],
  product: null,
  count: 30,
  problems: [
    {
      code: "unknown_sku",
      text: "This SKU is not in your price list. Rows 7 and 9 have it; added up they make 30.",
      fixes: [],
    },
  ],
});

it("asks whether an answer is meant beside another line of the same product", async () => {
  const { user, popup } = await opened([FINE, UNKNOWN]);
  const learned = answer("post", "/account/own-codes", {
    success: 1,
    line: reviewed(7, "A", { own_code: "NOPE", count: 30 }),
  });
  const found = { success: 1, result: [product("A")], has_next: false };
  answer("get", "/product/stock/{uuid}/{brand_id}", {
    ...found,
    ...{ page: 1, next: null, total: 1, total_is_least: false },
  });
  await user.type(await popup.findByLabelText("Which product is NOPE?"), "name of a");
  await user.click(await popup.findByRole("button", { name: "This one: Name of A" }));
  const said = "Row 3 of your list asks for this product too: 10 there, 30 here, together 40.";
  expect(await popup.findByText(said)).toBeVisible();
  expect(popup.getByText("Rows 7 and 9")).toBeVisible();
  expect(learned.map(({ body }) => body)).toMatchObject([{ code: "NOPE", count: 30 }]);
  await user.click(popup.getByRole("button", { name: "Keep both: Name of A" }));
  await user.click(popup.getByRole("button", { name: "Put 2 lines into the basket" }));
  expect(storedBasket()).toEqual([{ sku: "A", count: 40 }]);
  expect(await screen.findByRole("button", { name: "Download" })).toBeEnabled();
});

it("keeps a code that nobody knows among the wishes, and leaves it out", async () => {
  const { user, popup } = await opened([FINE, UNKNOWN]);
  const wished = answer("post", "/account/wishes", { success: 1 });
  await user.click(await popup.findByRole("button", { name: "Tell me when you have it: NOPE" }));
  expect(await popup.findByText("Wished for")).toBeVisible();
  expect(await screen.findByText("NOPE is kept in your wishes.")).toBeVisible();
  expect(wished.map(({ body }) => body)).toEqual([{ sku: "NOPE", count: 30 }]);
  expect(popup.queryByText(/with problems/)).toBeNull();
  expect(popup.getByText("1 line fine").closest("[role=status]")).toHaveFocus();
});

it("offers to wish for a code that is asked by the name beside it", async () => {
  const text = "V-3 is not known yet. Which product is “Name of A”?";
  const line = reviewed(7, "", {
    ...{ product: null, count: 30, words: "Name of A", called: "V-3", own_code: "V-3" },
    candidates: [{ product: product("A"), why: "2 words agree", agreeing: [] }],
    problems: [{ code: "which_product", text, fixes: [] }],
  });
  const { user, popup } = await opened([FINE, line]);
  const wished = answer("post", "/account/wishes", { success: 1 });
  expect(await popup.findByText(text)).toBeVisible();
  expect(popup.getByRole("checkbox", { name: "Remember V-3" })).toBeChecked();
  await user.click(popup.getByRole("button", { name: "Tell me when you have it: V-3" }));
  expect(await popup.findByText("Wished for")).toBeVisible();
  expect(wished.map(({ body }) => body)).toEqual([{ sku: "V-3", count: 30 }]);
});

it("keeps a product that is sold out among the wishes, and leaves it out", async () => {
  const problems = [{ code: "unavailable" as const, text: "Sold out.", fixes: [] }];
  const line = reviewed(7, "B", { count: 20, problems });
  const gone = { ...product("B"), availability: "Sold out", selectable: 0 as const };
  const { user, popup } = await opened([FINE, { ...line, product: gone }]);
  const wished = answer("post", "/account/wishes", { success: 1 });
  await user.click(await popup.findByRole("button", { name: /^Tell me when it is back: / }));
  expect(await popup.findByText("Wished for")).toBeVisible();
  expect(wished.map(({ body }) => body)).toEqual([{ sku: "B", count: 20 }]);
  await user.click(popup.getByRole("button", { name: "Put 1 line into the basket" }));
  const done = await screen.findByRole("dialog", { name: "1 line is in the basket" });
  expect(done).toHaveTextContent("In the basket1Wished for1Left out0");
});

it("does not ask about a product whose other line is left out", () => {
  const lines = changed(fromReview([FINE, UNKNOWN]), { does: "leave out", row: 3 });
  const chosen = changed(lines, { does: "choose", row: 7, reviewed: reviewed(7, "A") });
  expect(readyLines(chosen)).toHaveLength(1);
});

it("names the rows of a line", () => {
  expect([[4], [4, 9], [4, 9, 10], [4, 20_000_009]].map(rowsName)).toEqual([
    "Row 4",
    "Rows 4 and 9",
    "Row 4 and 2 more",
    "Row 4 and Tab 3, row 9",
  ]);
});
