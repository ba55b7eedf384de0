import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { fireEvent, renderHook, screen, waitFor } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, it } from "vitest";
import { basket as basketStore } from "@/domain/basket";
import { drafts } from "@/shared/drafts";
import { usePutIntoBasket } from "@/shared/use-put-into-basket";
import { user as buildUser } from "@/test/builders";
import { answer, refuse } from "@/test/server";
import { basketOf, openShop, product, storedBasket } from "../testing";
import type { Decision } from "./list-review";
import {
  ASKED,
  answerReview,
  chooseFile,
  dialog,
  FINE,
  layOutRows,
  openForm,
  paste,
  reviewed,
  reviewOf,
  SHORT,
  UUID,
} from "./testing";
import { looksLikeList } from "./use-order-from-list";

layOutRows();

const catalogue = [product("A"), product("B"), product("D")];
const FIELD = "Or paste a list";
const OWNER = buildUser().uuid;
const SKIP: Decision = { row: 6, out: true, wished: false, sku: "", count: 0, fixed: [] };

async function ready() {
  await screen.findByRole("button", { name: "More" });
}

/** A list is in hand, of which this was decided. */
function answerInHand(decisions: Decision[] = [], chosen = [reviewed(6, "B")]) {
  const sent_at = "2026-11-24T02:05:00+09:00";
  const list = { uuid: UUID, name: "Kelp.xlsx", rows: 2, pasted_by: "", sent_at };
  return answer("get", "/basket/list", {
    ...{ success: 1, list: { ...list, decided: decisions.length } },
    ...{ review: reviewOf([FINE, SHORT]), decisions, chosen },
  });
}

it("puts a chosen list without problems into the basket, and gives it back", async () => {
  const sent = answerReview([FINE]);
  answer("post", "/basket/sheet", "the sheet" as never);
  const { user, where } = openShop({ catalogue });
  await chooseFile(user);
  const popup = await dialog();
  expect(await popup.findByText("1 line ready")).toBeVisible();
  expect(popup.getByText("Price_List.xlsx")).toBeVisible();
  expect(popup.queryByText(/an answer first/)).toBeNull();
  expect(storedBasket()).toBeNull();
  await user.click(popup.getByRole("button", { name: "Put 1 line into the basket" }));
  const done = await dialog("1 line is in the basket");
  expect(storedBasket()).toEqual(basketOf({ A: 10 }));
  await user.click(done.getByRole("button", { name: "To the basket" }));
  await waitFor(() => expect(where()).toBe("/order?panel=basket"));
  expect(sent[0]?.list).toMatchObject({ name: "Price_List.xlsx" });
});

it.each<{ button: string; basket: Record<string, number> }>([
  { button: "Add to them", basket: { A: 30, D: 10 } },
  { button: "Replace them", basket: { A: 10 } },
])("asks where the basket is not empty: $button", async ({ button, basket }) => {
  answerReview([FINE]);
  const { user } = openShop({ catalogue, basket: { A: 20, D: 10 } });
  await chooseFile(user);
  const put = { name: "Put 1 line into the basket" };
  await user.click(await screen.findByRole("button", put));
  expect(screen.getByText("There are 2 products in the basket already.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Back" }));
  await user.click(screen.getByRole("button", put));
  await user.click(screen.getByRole("button", { name: button }));
  await waitFor(() => expect(storedBasket()).toEqual(basketOf(basket)));
});

it("reviews two columns that are pasted outside a field, and nothing else", async () => {
  const sent = answerReview([FINE]);
  const { user } = openShop({ catalogue });
  await ready();
  paste("just a sentence");
  paste("A\t10", await screen.findByRole("combobox", { name: /Search product/ }));
  expect(screen.queryByRole("dialog")).toBeNull();
  paste("A\t10\nB\t20");
  expect(await screen.findByText("1 line ready")).toBeVisible();
  expect(sent).toHaveLength(1);
  expect(sent[0]?.list).toMatchObject({ name: "Pasted list.txt", size: "A\t10\nB\t20".length });
  await user.click(screen.getByRole("button", { name: "Another list" }));
  // The portal has it: it is no draft any more.
  expect(await screen.findByLabelText(FIELD)).toHaveValue("");
});

it("shows the rows of a text that went into the basket undecided", async () => {
  answerReview([FINE, ASKED, SHORT]);
  const { user } = openShop({ catalogue });
  await ready();
  paste("A\t10\nsun stick\t40\nB\t900");
  await user.click(await screen.findByRole("button", { name: "Put 1 line into the basket" }));
  const done = await dialog("1 line is in the basket");
  expect(done.getByLabelText("Not in the basket")).toHaveValue(
    "Row 7: sun stick 40 – Which product do you mean?\n" +
      "Row 6: Name of B – Only 500 pieces are available.",
  );
  expect(done.queryByRole("button", { name: "Download your sheet" })).toBeNull();
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
  expect(await screen.findByText("1 line ready")).toBeVisible();
  expect(sent[0]?.list).toMatchObject({ name: "list.csv" });
});

it.each([
  [400, { message: "?", errors: { file: ["The file is empty."] } }, "The file is empty."],
  [413, { message: "This file is larger." }, "This file is larger."],
  [429, { message: "?" }, "Too many attempts. Please wait a moment."],
  [502, undefined, "That did not work. Please try again."],
])(
  "says in place why a list was refused with %s, and loses nothing pasted",
  async (status, body, text) => {
    answerReview([FINE]);
    refuse("post", "/basket/review", { status, ...(body && { body }) });
    const { user } = openShop({ catalogue });
    await openForm(user);
    await user.type(screen.getByLabelText(FIELD), "A 10");
    await user.click(screen.getByRole("button", { name: "Check list" }));
    expect(await screen.findByRole("alert")).toHaveTextContent(`Pasted list.txt ${text}`);
    expect(screen.getByLabelText(FIELD)).toHaveValue("A 10");
    answerReview([FINE]);
    await user.click(screen.getByRole("button", { name: "Check list" }));
    expect(await screen.findByText("1 line ready")).toBeVisible();
  },
);

it("refuses a file that is too large, and an empty paste, without a call", async () => {
  const sent = answerReview([FINE]);
  const { user } = openShop({ catalogue });
  await ready();
  const large = new File(["x"], "big.csv");
  Object.defineProperty(large, "size", { value: 5 * 1024 * 1024 + 1 });
  fireEvent.drop(document.body, { dataTransfer: { types: ["Files"], files: [large] } });
  expect(await screen.findByRole("alert")).toHaveTextContent(/larger than 5 MB/);
  await user.click(screen.getByRole("button", { name: "Check list" }));
  expect(screen.getByText("Paste a list, or choose a file.")).toBeVisible();
  expect(sent).toEqual([]);
});

it("keeps what is pasted over Escape, Back and a reload, until the portal has it", async () => {
  answerReview([FINE]);
  const first = openShop({ catalogue });
  await openForm(first.user);
  await first.user.type(screen.getByLabelText(FIELD), "glow drops");
  expect(first.where()).toBe("/order?list=open");
  await first.user.keyboard("{Escape}");
  await waitFor(() => expect(first.where()).toBe("/order"));
  first.unmount();
  const { user } = openShop({ catalogue, at: "/order?list=open" });
  await waitFor(() => expect(screen.getByLabelText(FIELD)).toHaveValue("glow drops"));
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  // What is pasted beside it is read with it.
  const sent = answerReview([FINE]);
  paste("A\t10\nB\t20");
  expect(await screen.findByText("1 line ready")).toBeVisible();
  expect(sent[0]?.list).toHaveProperty("size", "glow drops\nA\t10\nB\t20".length);
  await waitFor(async () => expect(await drafts.read(OWNER, "list")).toBeNull());
});

it("opens the list in hand again with what was decided, and keeps what is decided now", async () => {
  answerReview([FINE]);
  answerInHand([SKIP]);
  const { user } = openShop({ catalogue, at: `/order?list=${UUID}` });
  expect(await screen.findByText(/is not in the basket yet: 2 rows, sent/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Continue checking" }));
  const popup = await dialog();
  expect(await popup.findByText("Skipped")).toBeVisible();
  const kept = answer("put", "/basket/list", { success: 1 });
  await user.click(popup.getByRole("button", { name: "Put back Name of B" }));
  await user.click(popup.getByRole("button", { name: "Change to 500: Name of B" }));
  await waitFor(() => expect(kept).toHaveLength(1));
  const fixed = [{ code: "short_stock", fix: "Change to 500" }];
  expect(kept[0]?.body).toEqual({ uuid: UUID, decisions: [{ ...SKIP, out: false, fixed }] });
  await waitFor(async () => expect(await drafts.read(OWNER, "list-decisions")).toBeNull());
});

it("sends what was decided without a connection before it opens the list again", async () => {
  answerReview([FINE]);
  answerInHand();
  const first = openShop({ catalogue, at: `/order?list=${UUID}` });
  await first.user.click(await screen.findByRole("button", { name: "Check it" }));
  const failed = refuse("put", "/basket/list", { status: 502 });
  await first.user.click(await screen.findByRole("button", { name: "Skip Name of B" }));
  await waitFor(() => expect(failed).toHaveLength(1));
  first.unmount();
  const order: string[] = [];
  answer("put", "/basket/list", ({ body }) => {
    order.push(JSON.stringify(body));
    return { success: 1 };
  });
  const opened = answerInHand([SKIP]);
  openShop({ catalogue, at: `/order?list=${UUID}` });
  expect(await screen.findByRole("button", { name: "Continue checking" })).toBeVisible();
  expect(order).toEqual([JSON.stringify({ uuid: UUID, decisions: [SKIP] })]);
  expect(opened).toHaveLength(1);
  expect(await drafts.read(OWNER, "list-decisions")).toBeNull();
});

it("keeps what was decided while the server was busy, until it has that too", async () => {
  answerReview([FINE]);
  answerInHand();
  const { user } = openShop({ catalogue, at: `/order?list=${UUID}` });
  await user.click(await screen.findByRole("button", { name: "Check it" }));
  const waiting: (() => void)[] = [];
  const sent = answer("put", "/basket/list", async () => {
    await new Promise<void>((done) => waiting.push(done));
    return { success: 1 };
  });
  await user.click(await screen.findByRole("button", { name: "Skip Name of B" }));
  await waitFor(() => expect(waiting).toHaveLength(1));
  await user.click(screen.getByRole("button", { name: "Put back Name of B" }));
  await new Promise((settled) => setTimeout(settled, 800));
  waiting[0]?.();
  await waitFor(() => expect(sent).toHaveLength(2));
  const unsent = await drafts.read<{ decisions: unknown }>(OWNER, "list-decisions");
  expect(unsent?.value.decisions).toEqual([{ ...SKIP, out: false }]);
  waiting[1]?.();
  await waitFor(async () => expect(await drafts.read(OWNER, "list-decisions")).toBeNull());
});

it("has a choice of before as it would be ordered now", async () => {
  answerReview([FINE]);
  answerInHand([{ ...SKIP, out: false, sku: "D", count: 10 }], [reviewed(6, "D")]);
  const { user } = openShop({ catalogue, at: `/order?list=${UUID}` });
  await user.click(await screen.findByRole("button", { name: "Continue checking" }));
  expect(await screen.findByText("2 lines ready")).toBeVisible();
});

it("says which unfinished list another one takes the place of", async () => {
  const replaced = {
    ...{ uuid: "9b2d8f1e-5c3a-4e67-8a94-d1f0b6c72e35", name: "Kelp.xlsx", rows: 4, pasted_by: "" },
    ...{ sent_at: "2026-11-24T02:05:00+09:00", decided: 3 },
  };
  answerReview([FINE], { replaced });
  const { user } = openShop({ catalogue });
  await chooseFile(user);
  expect(await screen.findByText("Price_List.xlsx, in place of Kelp.xlsx")).toBeVisible();
});

it("refuses a basket of more than 2,000 products", () => {
  const lines = Array.from({ length: 2000 }, (_, index) => ({ sku: `OLD${index}`, count: 10 }));
  basketStore.replace(lines, { OLD7: 3 });
  const wrapper = ({ children }: { children: ReactNode }) => (
    <QueryClientProvider client={new QueryClient()}>{children}</QueryClientProvider>
  );
  const { current: put } = renderHook(usePutIntoBasket, { wrapper }).result;
  const { refused } = put([{ product: product("NEW"), count: 10 }], "add");
  expect(refused).toBe("A basket holds at most 2,000 products.");
  expect(basketStore.lines()).toEqual(lines);
  expect(put([{ product: product("OLD8"), count: 30 }], "add").refused).toBeUndefined();
  expect(basketStore.lines()[8]).toEqual({ sku: "OLD8", count: 40 });
  // What was chosen before keeps its price, so that a change can be told.
  expect(basketStore.chosenPrices()).toEqual({ OLD7: 3, OLD8: 12.5 });
  expect(put([{ product: product("NEW"), count: 10 }], "replace").refused).toBeUndefined();
  expect(basketStore.lines()).toEqual(basketOf({ NEW: 10 }));
});

it.each([
  ...["A\t10", "Name\tSKU\t20 pcs\n", "AUR-BC050 20", "A;20\nB;30", "ABC-1: 30", "ABC-1:30"],
  ...["9527384455703 20", "9 527384 455703: 20", "EAN: 9527384455703 20", "9638 5074 20"],
])("tells a list by its columns: %j", (text) => expect(looksLikeList(text)).toBe(true));

it.each([
  ...["Please send 20 of these", "https://portal.example/order", "MHW-261112-0398", "12:30"],
  ...["20 cleanser", "9 527384 455703", "040 555 02 80", "2 cartons ABC-1", "ABC-1 = 30 pcs"],
])("tells no list from other text: %j", (text) => expect(looksLikeList(text)).toBe(false));
