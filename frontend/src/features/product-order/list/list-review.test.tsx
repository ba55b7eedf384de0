import { screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import { answer, refuse } from "@/test/server";
import { basketOf, product, storedBasket } from "../testing";
import { decided, linesOf, NOTHING_DECIDED, readyLines, rowsName } from "./list-review";
import { ASKED, FINE, layOutRows, openReview, problem, reviewed, SHORT, UUID } from "./testing";

layOutRows();

const TWICE = reviewed(4, "0041", {
  ...{ product: product("0041"), count: 13 },
  problems: [
    problem("sku_twice", "Rows 4 and 9 have this SKU.", { "Keep the sum": null }),
    problem("not_multiple_of_moq", "Only multiples of 10.", {
      ...{ "Change to 20": 20, "Change to 10": 10 },
    }),
  ],
});
const UNKNOWN = reviewed(5, "NOPE", {
  ...{ rows: [5, 9], product: null, count: 30, called: "NOPE" },
  problems: [problem("unknown_sku", "This SKU is not in your price list.")],
});
const GONE = reviewed(8, "D", {
  problems: [problem("short_stock", "Only 4 pieces are available.")],
});
const HIDDEN = reviewed(10, "D", {
  problems: [problem("hidden_row", "Row 10 is hidden in your sheet.", { "Order it too": null })],
});
const PARTLY = reviewed(11, "B", {
  count: 50,
  problems: [
    problem("hidden_row", "Row 12 is hidden.", { "Change to 50": 50, "Change to 20": 20 }),
  ],
});
const CARTONS = reviewed(12, "B", {
  ...{ count: 0, packs: 2, unit: "box", words: "2 boxes" },
  problems: [problem("bad_quantity", "How many pieces are in 2 boxes?")],
});

const ten = (sku: string) => ({ sku, count: 10 });

/** Answers a search with product B, and each choice and number of pieces with this line. */
function answerChoice(fields: Parameters<typeof reviewed>[2] = {}, sku = "B") {
  answer("get", "/product/stock/{uuid}/{brand_id}", {
    ...{ success: 1, result: [product(sku)], has_next: false },
    ...{ page: 1, next: null, total: 1, total_is_least: false },
  });
  return answer("post", "/account/own-codes", { success: 1, line: reviewed(1, sku, fields) });
}

it.each([
  {
    ...{ does: "fixes and skips one by one", lines: [FINE, TWICE, UNKNOWN, SHORT], open: 3 },
    presses: [
      "Keep the sum: Name of 0041",
      "Change to 10: Name of 0041",
      "Skip NOPE",
      "Skip Name of B",
    ],
    basket: [ten("A"), { sku: "0041", count: 10 }],
  },
  {
    ...{
      does: "fixes all of a kind, first those that can be",
      lines: [TWICE, SHORT, GONE],
      open: 3,
    },
    presses: [/^Reduce to the stock/, /^Skip all/, /^Keep the sums/, /^Round all/],
    basket: basketOf({ "0041": 20, B: 500 }),
  },
  {
    ...{ does: "orders what the sheet hides too", lines: [FINE, HIDDEN, PARTLY], open: 2 },
    presses: ["Order them too: Hidden in your sheet"],
    basket: [ten("A"), ten("D"), { sku: "B", count: 50 }],
  },
  {
    ...{ does: "does without what the sheet hides", lines: [FINE, HIDDEN, PARTLY], open: 2 },
    presses: ["Skip them: Hidden in your sheet"],
    basket: [ten("A"), { sku: "B", count: 20 }],
  },
  {
    ...{ does: "takes back what was skipped", lines: [FINE, GONE], open: 1 },
    presses: ["Skip Name of D", "Put back Name of D", "Skip Name of D"],
    basket: [ten("A")],
  },
])("$does, and the rest stays out", async ({ lines, open, presses, basket }) => {
  const { user, popup } = await openReview(lines);
  const asked = open === 1 ? "1 line needs" : `${open} lines need`;
  expect(popup.getByText(`${asked} an answer first.`)).toBeVisible();
  for (const name of presses) await user.click(popup.getByRole("button", { name }));
  expect(popup.queryByText(/an answer first/)).toBeNull();
  expect(popup.queryByRole("list", { name: "Kinds of problems" })).toBeNull();
  await user.click(popup.getByRole("button", { name: /^Put .* into the basket$/ }));
  await waitFor(() => expect(storedBasket()).toEqual(basket));
});

it("says until when a price is lower", async () => {
  const offer = { usual_price: 15.3, price_until: "2026-12-01T00:00:00Z" };
  const { user, popup } = await openReview([
    ASKED,
    reviewed(3, "A", { product: product("A", offer) }),
  ]);
  await user.click(popup.getByText("All (2)"));
  expect(popup.getByText("30 Nov")).toBeVisible();
});

it("moves the focus to what is asked next, at last to the summary", async () => {
  const { user, popup } = await openReview([TWICE, ASKED, GONE]);
  await user.click(popup.getByRole("button", { name: "Keep the sum: Name of 0041" }));
  expect(popup.getByRole("button", { name: "Change to 20: Name of 0041" })).toHaveFocus();
  await user.keyboard("{Enter}");
  expect(popup.getByLabelText("Which product is sun stick?")).toHaveFocus();
  await user.click(popup.getByRole("button", { name: "Skip sun stick 40" }));
  expect(popup.getByRole("button", { name: "Skip Name of D" })).toHaveFocus();
  await user.keyboard("{Enter}");
  expect(popup.getByText("1 line ready").closest("[role=status]")).toHaveFocus();
});

it.each([
  {
    ...{ asks: "a row in its own words", line: ASKED, search: "sun stick", remember: "sun stick" },
    code: "sun stick",
  },
  { asks: "an unknown code", line: UNKNOWN, search: "NOPE", remember: "NOPE", code: "NOPE" },
  {
    ...{ asks: "words that cannot be remembered", line: { ...ASKED, called: "" } },
    ...{ search: "sun stick 40", remember: undefined, code: "B" },
  },
])("asks which product $asks means, its search filled in", async (asked) => {
  const { line, search, remember, code } = asked;
  const { user, popup } = await openReview([FINE, line]);
  const learned = answerChoice({ count: line.count });
  const field = popup.getByRole("searchbox");
  expect(field).toHaveValue(search);
  await user.click(field);
  expect(popup.queryAllByRole("checkbox")).toHaveLength(remember ? 1 : 0);
  await user.click(await popup.findByRole("button", { name: "Choose Name of B" }));
  await user.click(await popup.findByRole("button", { name: "Put 2 lines into the basket" }));
  await waitFor(() => expect(storedBasket()).toEqual([ten("A"), { sku: "B", count: line.count }]));
  expect(learned.map(({ body }) => body)).toMatchObject([
    { code, sku: "B", row: line.row, count: line.count, remember: remember !== undefined },
  ]);
});

it("proposes likely products, chooses none, and asks for pieces that are not known", async () => {
  const gone = product("D", { selectable: 0, availability: "Discontinued" });
  const candidates = [gone, product("B")].map((one) => ({
    ...{ product: one, why: "2 words agree", agreeing: [] },
  }));
  const { user, popup } = await openReview([{ ...ASKED, count: 0, candidates }]);
  expect(popup.getByRole("button", { name: "Put 0 lines into the basket" })).toBeDisabled();
  expect(popup.getByText(/Discontinued · 2 words agree/)).toBeVisible();
  const learned = answerChoice({
    ...{ count: 0, problems: [problem("bad_quantity", "How many pieces?")] },
  });
  await user.click(popup.getByRole("checkbox", { name: "Remember sun stick" }));
  await user.click(popup.getByRole("button", { name: "Choose Name of B" }));
  const pieces = await popup.findByLabelText("Pieces of Name of B");
  expect(popup.getByText("sun stick 40")).toBeVisible();
  answerChoice({ count: 24 });
  for (const typed of ["0", "-24", "2.4"]) {
    await user.clear(pieces);
    await user.type(pieces, `${typed}{Enter}`);
  }
  expect(await screen.findByText("“2.4” is not a number of pieces.")).toBeVisible();
  expect(learned).toHaveLength(1);
  await user.clear(pieces);
  await user.type(pieces, "24");
  await user.click(popup.getByRole("button", { name: "Apply" }));
  await user.click(await popup.findByRole("button", { name: "Put 1 line into the basket" }));
  await waitFor(() => expect(storedBasket()).toEqual(basketOf({ B: 24 })));
  expect(learned.map(({ body }) => body)).toMatchObject([{ sku: "B", remember: false }]);
});

it("asks how many pieces cartons are, and remembers what one holds", async () => {
  const { user, popup } = await openReview([CARTONS]);
  const learned = answerChoice({ count: 48 });
  await user.type(popup.getByLabelText("Pieces of Name of B"), "48");
  expect(popup.getByRole("checkbox", { name: "Remember 24 in a box" })).toBeChecked();
  await user.keyboard("{Enter}");
  expect(await popup.findByText("1 line ready")).toBeVisible();
  expect(learned.map(({ body }) => body)).toEqual([
    { code: "B", sku: "B", row: 12, count: 48, remember: true, packs: 2, unit: "box" },
  ]);
});

it("asks whether an answer is meant beside another line of the same product", async () => {
  const { user, popup } = await openReview([FINE, UNKNOWN]);
  answerChoice({ count: 30, own_code: "NOPE" }, "A");
  await user.click(popup.getByRole("searchbox"));
  await user.click(await popup.findByRole("button", { name: "Choose Name of A" }));
  const said = "Row 3 of your list also orders this product: 10 there, 30 here, together 40.";
  expect(await popup.findByText(said)).toBeVisible();
  expect(popup.getByText("Rows 5 and 9")).toBeVisible();
  await user.click(popup.getByRole("button", { name: "Keep both: Name of A" }));
  await user.click(popup.getByRole("button", { name: "Put 2 lines into the basket" }));
  await waitFor(() => expect(storedBasket()).toEqual(basketOf({ A: 40 })));
});

it("adds nothing up while the pieces of one row are asked", async () => {
  const unread = { ...FINE, count: 0, problems: [problem("bad_quantity", "How many pieces?")] };
  const { user, popup } = await openReview([unread, UNKNOWN]);
  answerChoice({ count: 30, own_code: "NOPE" }, "A");
  await user.click(popup.getByRole("searchbox"));
  await user.click(await popup.findByRole("button", { name: "Choose Name of A" }));
  expect(await popup.findByText("1 line ready")).toBeVisible();
  expect(popup.queryByText(/also orders this product/)).toBeNull();
});

const SOLD_OUT = reviewed(7, "B", {
  product: { ...product("B"), availability: "Sold out", selectable: 0 },
  problems: [problem("unavailable", "Sold out.")],
});

it.each([
  { line: UNKNOWN, name: "Notify me when you have it: NOPE", wish: { sku: "NOPE", count: 30 } },
  { line: SOLD_OUT, name: "Notify me when it is back: Name of B", wish: ten("B") },
])("keeps what cannot be ordered among the wishes: $name", async ({ line, name, wish }) => {
  const { user, popup } = await openReview([FINE, line]);
  const wishes = answer("post", "/account/wishes", { success: 1 });
  await user.click(await popup.findByRole("button", { name }));
  expect(await popup.findByText("On your waiting list")).toBeVisible();
  expect(wishes.map(({ body }) => body)).toEqual([wish]);
  expect(popup.getByText("1 line ready").closest("[role=status]")).toHaveFocus();
});

it("counts and shows every row that was passed over, with what stands there and why", async () => {
  const { user, popup } = await openReview([FINE], {
    passed: [
      { row: 1, text: "Bestellung KW 48", why: "Headings." },
      { row: 9, text: "AQ-1010 · Green Plum Toner", why: "No quantity." },
    ],
    passed_why: [
      { why: "No quantity.", rows: 1201 },
      { why: "Headings.", rows: 1 },
    ],
  });
  await user.click(popup.getByRole("radio", { name: "Not read (1,202)" }));
  const rows = within(popup.getByRole("list", { name: "Skipped rows" }));
  expect(rows.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "Row 1Bestellung KW 48Headings.",
    "Row 9AQ-1010 · Green Plum TonerNo quantity.",
  ]);
  expect(popup.getByText("1,200 more rows: No quantity.")).toBeVisible();
  await user.click(popup.getByRole("radio", { name: "All (1)" }));
  expect(popup.getByText("Name of A")).toBeVisible();
});

it("loses no row of a paste: each is in sight until it is ordered, skipped or passed over", async () => {
  const texts = ["BOM-GI100 minus 10", "glow drops", "10 + 10", "1e3"];
  const asked = texts.map((words, index) => ({
    ...ASKED,
    row: index + 4,
    words,
    rows: [index + 4],
  }));
  const passed = [{ row: 1, text: "Dear all,", why: "No product." }];
  const { user, popup } = await openReview([FINE, ...asked], {
    ...{ passed, passed_why: [{ why: "No product.", rows: 1 }] },
  });
  for (const words of texts) expect(popup.getByText(words)).toBeVisible();
  expect(popup.getByText("4 lines need an answer first.")).toBeVisible();
  for (const words of texts) {
    await user.click(popup.getByRole("button", { name: `Skip ${words}` }));
  }
  await user.click(popup.getByRole("radio", { name: "All (5)" }));
  expect(popup.getAllByText("Skipped")).toHaveLength(4);
  await user.click(popup.getByRole("radio", { name: "Not read (1)" }));
  expect(popup.getByText("Dear all,")).toBeVisible();
});

it("uses the list up before its lines go into the basket, under one key", async () => {
  const { user, popup } = await openReview([FINE]);
  const put = popup.getByRole("button", { name: "Put 1 line into the basket" });
  const used = { success: 0, code: "used", message: "They are in your basket already." };
  refuse("post", "/basket/list", { status: 410, body: used });
  await user.click(put);
  expect(await popup.findByText("They are in your basket already.")).toBeVisible();
  const lost = refuse("post", "/basket/list", { status: 502 });
  await user.click(put);
  expect(await popup.findByText("That did not work. Please try again.")).toBeVisible();
  expect(storedBasket()).toBeNull();
  const calls = answer("post", "/basket/list", { success: 1 });
  await user.click(put);
  await waitFor(() => expect(storedBasket()).toEqual([ten("A")]));
  expect(calls.map(({ body }) => body)).toEqual([{ uuid: UUID, key: expect.any(String) }]);
  expect(calls[0]?.body).toEqual(lost[0]?.body);
});

it("gives the sheet back with what became of each row", async () => {
  const { user, popup, sent } = await openReview([
    ...[FINE, { ...TWICE, rows: [4, 14] }, UNKNOWN, SHORT, GONE],
  ]);
  // The typed network takes JSON alone: the workbook is any text.
  answer("post", "/basket/sheet", "the sheet" as never);
  const saved = vi.fn();
  URL.createObjectURL = saved.mockReturnValue("blob:sheet");
  await user.click(popup.getByRole("button", { name: "Change to 500: Name of B" }));
  await user.click(popup.getByRole("button", { name: "Skip Name of D" }));
  await user.click(popup.getByRole("button", { name: "Put 2 lines into the basket" }));
  const done = within(await screen.findByRole("dialog", { name: "2 lines are in the basket" }));
  expect(done.getByText("Skipped").nextSibling).toHaveTextContent("3");
  await user.click(await done.findByRole("button", { name: "Download your sheet" }));
  await waitFor(() => expect(saved).toHaveBeenCalledOnce());
  const [answers] = sent.flatMap((field) => ("answers" in field ? [String(field.answers)] : []));
  expect(JSON.parse(answers ?? "")).toEqual([
    { rows: [3], sku: "A", count: 10, why: "" },
    {
      rows: [4, 14],
      sku: "0041",
      count: 0,
      why: "Rows 4 and 9 have this SKU. Only multiples of 10.",
    },
    { rows: [5, 9], sku: "", count: 0, why: "This SKU is not in your price list." },
    { rows: [6], sku: "B", count: 500, why: "Only 500 pieces are available." },
    { rows: [8], sku: "D", count: 0, why: "Skipped by you. Only 4 pieces are available." },
  ]);
  await user.click(done.getByRole("button", { name: "To the basket" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("asks a fix again whose button says something else since", () => {
  const dearer = (text: string) =>
    reviewed(5, "A", { problems: [problem("price_changed", "Dearer.", { [text]: null })] });
  const [fix] = dearer("Accept $9.00").problems[0]?.fixes ?? [];
  if (!fix) throw new Error("no fix");
  const after = decided(NOTHING_DECIDED, { does: "fix", row: 5, code: "price_changed", fix });
  expect(readyLines(linesOf([dearer("Accept $9.00")], after))).toHaveLength(1);
  expect(readyLines(linesOf([dearer("Accept $9.50")], after))).toEqual([]);
});

it("asks of two answers about one product only the second, and of none whose other line is skipped", () => {
  const choose = (row: number) => ({ does: "choose", row, reviewed: reviewed(row, "A") }) as const;
  const two = [
    { ...UNKNOWN, row: 5 },
    { ...UNKNOWN, row: 6 },
  ];
  const both = decided(decided(NOTHING_DECIDED, choose(5)), choose(6));
  expect(linesOf(two, both).map(({ asked }) => asked.problems.length)).toEqual([0, 1]);
  const skipped = decided(decided(NOTHING_DECIDED, choose(5)), { does: "skip", row: 3 });
  expect(readyLines(linesOf([FINE, UNKNOWN], skipped))).toHaveLength(1);
});

it("names the rows of a line", () => {
  expect([[4], [4, 9], [4, 9, 10]].map(rowsName)).toEqual([
    "Row 4",
    "Rows 4 and 9",
    "Row 4 and 2 more",
  ]);
});
