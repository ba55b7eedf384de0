import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, renderHook, screen, waitFor, within } from "@testing-library/react";
import type { ReactNode } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { basket as basketStore } from "@/domain/basket";
import { usePutIntoBasket } from "@/shared/use-put-into-basket";
import { answer } from "@/test/server";
import "./ListDialog";
import { vectors } from "@/test/vectors";
import { openShop, product, storedBasket } from "../testing";
import { changed, fromReview, problemKinds } from "./list-review";
import { looksLikeList } from "./pasted-list";
import {
  answerReview,
  answerSheet,
  chooseFile,
  dialog,
  FINE,
  FIX,
  GONE,
  paste,
  ready,
  refuseReview,
  reviewed,
} from "./testing-list";

beforeEach(() => {
  // jsdom lays nothing out: rows need a height to be told from each other.
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(96);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

const LOST = reviewed(4, "41", {
  product: product("0041"),
  count: 13,
  problems: [
    {
      code: "lost_zeros",
      text: "Zeros missing.",
      fixes: [{ ...FIX, text: "Use 0041", sku: "0041" }],
    },
    {
      code: "not_multiple_of_moq",
      text: "Only multiples of 10 can be ordered.",
      fixes: [
        { ...FIX, text: "Change to 20", count: 20 },
        { ...FIX, text: "Change to 10", count: 10 },
      ],
    },
  ],
});
const UNKNOWN = reviewed(5, "NOPE", {
  product: null,
  problems: [{ code: "unknown_sku", text: "This SKU is not in your price list.", fixes: [] }],
});
const SHORT = reviewed(6, "B", {
  count: 900,
  problems: [
    {
      code: "short_stock",
      text: "Only 500 pieces are available.",
      fixes: [{ ...FIX, text: "Change to 500", count: 500 }],
    },
  ],
});

const catalogue = [product("A"), product("B"), product("0041"), product("D")];

it("puts a chosen list without problems into the basket", async () => {
  const sent = answerReview([FINE]);
  const { user, where } = openShop({ catalogue });
  await chooseFile(user);
  expect(await screen.findByText("1 line fine")).toBeVisible();
  expect(screen.getByText("Price_List.xlsx")).toBeVisible();
  expect(screen.queryByRole("button", { name: /passed over/ })).toBeNull();
  expect(screen.queryByText(/with problems/)).toBeNull();
  expect(storedBasket()).toBeNull();
  await user.click(screen.getByRole("button", { name: "Put 1 line into the basket" }));
  expect(storedBasket()).toEqual([{ sku: "A", count: 10 }]);
  expect(await screen.findByRole("dialog", { name: "1 line is in the basket" })).toBeVisible();
  expect(screen.queryByText("1 product put into the basket")).toBeNull();
  await user.click(screen.getByRole("button", { name: "To the basket" }));
  await waitFor(() => expect(where()).toBe("/order?panel=basket"));
  expect(sent[0]?.name).toBe("Price_List.xlsx");
});

it("gives the sheet back with what became of each row", async () => {
  answerReview([FINE, { ...LOST, rows: [4, 9] }, UNKNOWN, SHORT, GONE]);
  const answers = answerSheet();
  const saved = vi.fn();
  URL.createObjectURL = saved.mockReturnValue("blob:sheet");
  const { user } = openShop({ catalogue });
  await chooseFile(user);
  const popup = within(await dialog());
  await user.click(popup.getByRole("button", { name: /^Change to 500/ }));
  await user.click(popup.getByRole("button", { name: "Leave it out: Name of C" }));
  await user.click(popup.getByRole("button", { name: "Put 2 lines into the basket" }));
  const done = within(await screen.findByRole("dialog", { name: "2 lines are in the basket" }));
  await user.click(await done.findByRole("button", { name: "Download" }));
  await waitFor(() => expect(saved).toHaveBeenCalledOnce());
  expect(JSON.parse(answers[0] ?? "")).toMatchObject([
    { rows: [3], sku: "A", count: 10, why: "" },
    { rows: [4, 9], sku: "0041", count: 0 },
    { rows: [5], sku: "", count: 0 },
    { rows: [6], sku: "B", count: 500, why: "Only 500 pieces are available." },
    { rows: [7], sku: "C", count: 0, why: "Left out by you. Only 4 pieces are available." },
  ]);
  await user.click(done.getByRole("button", { name: "To the basket" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("learns which product a code of the buyer's own means", async () => {
  answerReview([FINE, UNKNOWN]);
  const { user } = openShop({ catalogue });
  await chooseFile(user);
  const popup = within(await dialog());
  const learned = answer("post", "/account/own-codes", {
    success: 1,
    line: reviewed(5, "B", { own_code: "NOPE", count: 20 }),
  });
  const found = { success: 1, result: [product("B")], has_next: false };
  answer("get", "/product/stock/{uuid}/{brand_id}", {
    ...found,
    ...{ page: 1, next: null, total: 1, total_is_least: false },
  });
  await user.type(await popup.findByLabelText("Which product is NOPE?"), "name of b");
  await user.click(await popup.findByRole("button", { name: "This one: Name of B" }));
  expect(await popup.findByText("your code NOPE")).toBeVisible();
  expect(popup.getByRole("button", { name: "Put 2 lines into the basket" })).toBeEnabled();
  expect(learned.map(({ body }) => body)).toEqual([
    { code: "NOPE", sku: "B", row: 5, count: 10, remember: true, packs: 0, unit: "" },
  ]);
});

it("keeps lines with problems out until each is fixed", async () => {
  answerReview([FINE, LOST, UNKNOWN, SHORT]);
  const { user } = openShop({ catalogue });
  await chooseFile(user);
  const popup = within(await dialog());
  expect(await popup.findByText("3 lines with problems")).toBeVisible();
  expect(popup.getByRole("button", { name: "Put 1 line into the basket" })).toBeEnabled();

  await user.click(popup.getByRole("button", { name: "Use 0041: Name of 0041" }));
  // The next problem's first fix has the focus.
  expect(popup.getByRole("button", { name: "Change to 20: Name of 0041" })).toHaveFocus();
  await user.click(popup.getByRole("button", { name: "Change to 10: Name of 0041" }));
  expect(popup.getByText("2 lines with problems")).toBeVisible();
  expect(popup.getByRole("radio", { name: "To answer (2)" })).toBeVisible();
  await user.click(popup.getByRole("button", { name: "Leave it out: NOPE" }));
  await user.click(popup.getByRole("button", { name: "Leave out Name of B" }));
  expect(popup.queryByText(/lines? with problems/)).toBeNull();
  await user.click(popup.getByRole("button", { name: "Put back Name of B" }));
  expect(popup.getByText("1 line with problems")).toBeVisible();

  await user.click(popup.getByRole("button", { name: "Put 2 lines into the basket" }));
  expect(storedBasket()).toEqual([
    { sku: "A", count: 10 },
    { sku: "0041", count: 10 },
  ]);
});

it("fixes all problems of a kind, first those that can be", async () => {
  answerReview([LOST, SHORT, GONE]);
  const { user } = openShop({ catalogue });
  await chooseFile(user);
  const kinds = within(await screen.findByRole("list", { name: "Kinds of problems" }));
  expect(kinds.getAllByRole("listitem").map(({ textContent }) => textContent)).toEqual([
    "Zeros missing in front of the SKU 1Add the zeros",
    "Not enough in stock 2Change to what there is",
    "Not a multiple 1Round all",
  ]);
  await user.click(kinds.getByRole("button", { name: /^Change to what there is/ }));
  await user.click(kinds.getByRole("button", { name: /^Leave all out/ }));
  await user.click(kinds.getByRole("button", { name: /^Add the zeros/ }));
  await user.click(kinds.getByRole("button", { name: /^Round all/ }));
  expect(screen.queryByRole("list", { name: "Kinds of problems" })).toBeNull();
  await user.click(screen.getByRole("button", { name: "Put 2 lines into the basket" }));
  expect(storedBasket()).toEqual([
    { sku: "0041", count: 20 },
    { sku: "B", count: 500 },
  ]);
});

it.each([
  {
    button: "Add to them",
    basket: [
      { sku: "A", count: 30 },
      { sku: "D", count: 10 },
    ],
  },
  { button: "Replace them", basket: [{ sku: "A", count: 10 }] },
])("asks where the basket is not empty: $button", async ({ button, basket }) => {
  answerReview([FINE]);
  const { user } = openShop({
    catalogue,
    basket: [
      ["A", 20],
      ["D", 10],
    ],
  });
  await chooseFile(user);
  await user.click(await screen.findByRole("button", { name: "Put 1 line into the basket" }));
  expect(screen.getByText("There are 2 products in the basket already.")).toBeVisible();
  expect(storedBasket()).toHaveLength(2);
  await user.click(screen.getByRole("button", { name: "Back" }));
  await user.click(screen.getByRole("button", { name: "Put 1 line into the basket" }));
  await user.click(screen.getByRole("button", { name: button }));
  expect(storedBasket()).toEqual(basket);
});

it("reviews two columns that are pasted outside a field, and nothing else", async () => {
  const sent = answerReview([FINE]);
  const { user } = openShop({ catalogue });
  await ready();
  paste("just a sentence");
  paste("A\t10", await screen.findByRole("combobox", { name: /Search product/ }));
  expect(screen.queryByRole("dialog")).toBeNull();
  paste("A\t10\nB\t20");
  expect(await screen.findByText("1 line fine")).toBeVisible();
  expect(sent).toHaveLength(1);
  expect(sent[0]?.name).toBe("Pasted list.txt");
  expect(sent[0]?.size).toBe("A\t10\nB\t20".length);
  await user.click(screen.getByRole("button", { name: "Another list" }));
  expect(await screen.findByText("Choose a file, or drop it here")).toBeVisible();
});

it("shows where a file can be dropped, and reviews it", async () => {
  const sent = answerReview([FINE]);
  openShop({ catalogue });
  await ready();
  const dataTransfer = { types: ["Files"], files: [new File(["A,10"], "list.csv")] };
  fireEvent.dragOver(document.body, { dataTransfer: { types: ["text/plain"], files: [] } });
  expect(screen.queryByText("Drop your list here")).toBeNull();
  fireEvent.dragOver(document.body, { dataTransfer });
  expect(screen.getByText("Drop your list here")).toBeVisible();
  fireEvent.dragLeave(document.body, { dataTransfer });
  expect(screen.queryByText("Drop your list here")).toBeNull();
  expect(fireEvent.drop(document.body, { dataTransfer })).toBe(false);
  expect(await screen.findByText("1 line fine")).toBeVisible();
  expect(sent[0]?.name).toBe("list.csv");
});

it.each([
  [
    400,
    { success: 0, code: "invalid", message: "?", errors: { file: ["The file is empty."] } },
    "The file is empty.",
  ],
  [413, { success: 0, code: "too_large", message: "This file is larger." }, "This file is larger."],
  [
    429,
    { success: 0, code: "throttled", message: "?" },
    "Too many attempts. Please wait a moment.",
  ],
  [502, {}, "That did not work. Please try again."],
])("says in place why a list was refused with %s", async (status, body, text) => {
  refuseReview(status, body);
  const { user } = openShop({ catalogue });
  await chooseFile(user);
  expect(await screen.findByRole("alert")).toHaveTextContent(`Price_List.xlsx ${text}`);
  answerReview([FINE]);
  await user.type(screen.getByLabelText("Or paste a list or a message"), "A 10");
  await user.click(screen.getByRole("button", { name: "Read it" }));
  expect(await screen.findByText("1 line fine")).toBeVisible();
});

it("refuses a file that is too large, and an empty paste, without a call", async () => {
  const sent = answerReview([FINE]);
  const { user } = openShop({ catalogue });
  await ready();
  const large = new File(["x"], "big.csv");
  Object.defineProperty(large, "size", { value: 5 * 1024 * 1024 + 1 });
  fireEvent.drop(document.body, { dataTransfer: { types: ["Files"], files: [large] } });
  expect(await screen.findByRole("alert")).toHaveTextContent(/larger than 5 MB/);
  await user.click(screen.getByRole("button", { name: "Read it" }));
  expect(screen.getByText("Paste a list or a message.")).toBeVisible();
  expect(sent).toEqual([]);
});

it("refuses a basket of more than 2,000 products", () => {
  const lines = Array.from({ length: 2000 }, (_, index) => ({ sku: `OLD${index}`, count: 10 }));
  basketStore.replace(lines, { OLD7: 3 });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
  );
  const { current: put } = renderHook(usePutIntoBasket, { wrapper }).result;
  const refused = put([{ product: product("NEW"), count: 10 }], "add");
  expect(refused).toBe("A basket holds at most 2,000 products.");
  expect(basketStore.lines()).toEqual(lines);
  expect(put([{ product: product("OLD8"), count: 30 }], "add")).toBeUndefined();
  expect(basketStore.lines()[8]).toEqual({ sku: "OLD8", count: 40 });
  // What was chosen before keeps its price, so that a change can be told.
  expect(basketStore.chosenPrices()).toEqual({ OLD7: 3, OLD8: 12.5 });
  expect(put([{ product: product("NEW"), count: 10 }], "replace")).toBeUndefined();
  expect(basketStore.lines()).toEqual([{ sku: "NEW", count: 10 }]);
});

it("counts open problems by kind, without lines that are left out", () => {
  const lines = fromReview([LOST, SHORT, GONE]);
  const out = changed(lines, { does: "leave out", row: SHORT.row });
  expect(problemKinds(out).find(({ code }) => code === "short_stock")).toMatchObject({
    lines: 1,
    fixAll: "Leave all out",
  });
  expect(problemKinds(changed(out, { does: "put back", row: SHORT.row }))).toEqual(
    problemKinds(lines),
  );
});

it.each([
  ["A\t10", true],
  ["Name\tSKU\t20 pcs\n", true],
  ["AUR-BC050 20", true],
  ["A;20\nB;30", true],
  ["Please send 20 of these", false],
  ["https://portal.example/order", false],
  ["MHW-261112-0398", false],
])("tells a list by its columns: %j", (text, expected) => {
  expect(looksLikeList(text)).toBe(expected);
});

it.each(vectors<{ text: string; pasted: boolean }>("catalog/typed_list"))(
  "tells what is typed: $text",
  ({ text, pasted }) => expect(looksLikeList(text)).toBe(pasted),
);

it("keeps all rows of a line whose product is chosen", () => {
  const problems = [{ code: "unknown_sku" as const, text: "Not in your price list.", fixes: [] }];
  const lines = fromReview([reviewed(3, "OWN-1", { rows: [3, 7], product: null, problems })]);
  const [line] = changed(lines, { does: "choose", row: 3, reviewed: reviewed(3, "GC-1") });
  expect(line?.asked).toMatchObject({ row: 3, rows: [3, 7], sku: "GC-1" });
});
