import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { momentHere } from "@/shared/dates";
import { answer, refuse } from "@/test/server";
import "./ListDialog";
import { openShop, product, storedBasket } from "../testing";
import type { ReviewedLine } from "./list-review";
import {
  answerReview,
  chooseFile,
  dialog,
  FINE,
  GONE,
  NOTHING_PASSED,
  paste,
  ready,
  reviewed,
} from "./testing-list";

beforeEach(() => {
  // jsdom lays nothing out: rows need a height to be told from each other.
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(96);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

const catalogue = [product("A"), product("B"), product("D")];

const ASKED = reviewed(1, "", {
  product: null,
  count: 40,
  words: "sun stick 40",
  called: "sun stick",
  problems: [{ code: "which_product", text: "Which product is meant?", fixes: [] }],
  candidates: [
    { product: product("B"), why: "2 words agree", agreeing: ["name"] },
    { product: product("D"), why: "1 word agrees", agreeing: [] },
  ],
});

it("asks which product the words of a message mean, and chooses none", async () => {
  answerReview([ASKED, FINE]);
  const { user } = openShop({ catalogue });
  await user.click(await ready());
  await user.type(await screen.findByLabelText("Or paste a list or a message"), "sun stick 40");
  await user.click(screen.getByRole("button", { name: "Read it" }));
  const popup = within(await dialog());
  expect(await popup.findByText("1 question")).toBeVisible();
  expect(popup.queryByText(/with problems/)).toBeNull();
  expect(popup.getByRole("button", { name: "Put 1 line into the basket" })).toBeEnabled();
  expect(popup.getByText("Name").tagName).toBe("MARK");
  await user.click(popup.getByRole("button", { name: /^Next question/ }));
  expect(popup.getByRole("button", { name: "This one: Name of B" })).toHaveFocus();
  const learned = answer("post", "/account/own-codes", {
    success: 1,
    line: reviewed(1, "D", { count: 40 }),
  });
  await user.click(popup.getByRole("checkbox", { name: "Remember sun stick" }));
  await user.click(popup.getByRole("button", { name: "This one: Name of D" }));
  expect(await popup.findByText("sun stick 40")).toBeVisible();
  expect(popup.queryByText("1 question")).toBeNull();
  expect(popup.getByRole("button", { name: "Put 2 lines into the basket" })).toBeEnabled();
  expect(learned.map(({ body }) => body)).toMatchObject([
    { code: "sun stick", sku: "D", row: 1, count: 40, remember: false },
  ]);
});

const MESSAGE = "0f8fad5b-d9cb-469f-a165-70867728950e";
const AT_MESSAGE = `/order?message=${MESSAGE}`;

function answerMessage(lines: ReviewedLine[]) {
  return answer("get", "/basket/messages/{message}", {
    ...{
      success: 1,
      lines,
      without_quantity: 0,
      unread: [],
      columns: [],
      list: null,
      ...NOTHING_PASSED,
    },
    ...{ pasted_by: "Hana Seo", pasted_at: "2026-11-22T14:20:05+09:00" },
  });
}

it("opens the review of a message that staff pasted, and uses its link up before its lines go in", async () => {
  const asked = answerMessage([FINE]);
  const { user, where } = openShop({ catalogue, at: AT_MESSAGE });
  const whose = `Your message, pasted by Hana Seo on ${momentHere("2026-11-22T14:20:05+09:00")}`;
  expect(await screen.findByText(whose)).toBeVisible();
  expect(asked.map(({ params }) => params.message)).toEqual([MESSAGE]);
  expect(where()).toBe("/order");
  const body = { success: 0, code: "used", message: "They are in your basket already." };
  refuse("post", "/basket/messages/{message}", { status: 410, body });
  const put = screen.getByRole("button", { name: "Put 1 line into the basket" });
  await user.click(put);
  expect(await screen.findByText("They are in your basket already.")).toBeVisible();
  expect(storedBasket()).toBeNull();
  // An answer that was lost: the same review asks again, by its key.
  const lost = refuse("post", "/basket/messages/{message}", { status: 502 });
  await user.click(put);
  expect(await screen.findByText("That did not work. Please try again.")).toBeVisible();
  expect(storedBasket()).toBeNull();
  const used = answer("post", "/basket/messages/{message}", { success: 1 });
  await user.click(put);
  await waitFor(() => expect(where()).toBe("/order?panel=basket"));
  expect(storedBasket()).toEqual([{ sku: "A", count: 10 }]);
  expect(used.map(({ params }) => params.message)).toEqual([MESSAGE]);
  expect(used[0]?.body).toEqual({ key: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(used[0]?.body).toEqual(lost[0]?.body);
});

it("puts a message's lines in together, once each is answered or left out", async () => {
  answerMessage([ASKED, FINE, GONE]);
  const used = answer("post", "/basket/messages/{message}", { success: 1 });
  const { user } = openShop({ catalogue, at: AT_MESSAGE });
  const put = await screen.findByRole("button", { name: "Put 1 line into the basket" });
  expect(put).toBeDisabled();
  expect(screen.getByText(/^2 lines wait for you first\. The link works once/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Leave it out: Name of C" }));
  expect(put).toBeDisabled();
  expect(screen.getByText(/^1 line waits for you first\./)).toBeVisible();
  answer("post", "/account/own-codes", { success: 1, line: reviewed(1, "D", { count: 40 }) });
  await user.click(screen.getByRole("button", { name: "This one: Name of D" }));
  await user.click(await screen.findByRole("button", { name: "Put 2 lines into the basket" }));
  await waitFor(() =>
    expect(storedBasket()).toEqual([
      { sku: "D", count: 40 },
      { sku: "A", count: 10 },
    ]),
  );
  expect(used).toHaveLength(1);
});

it("keeps what was answered of a pasted message, and asks what is left once it is opened again", async () => {
  answerMessage([ASKED, FINE, GONE]);
  const learned = answer("post", "/account/own-codes", {
    success: 1,
    line: reviewed(1, "D", { count: 40 }),
  });
  const first = openShop({ catalogue, at: AT_MESSAGE });
  await first.user.click(await screen.findByRole("button", { name: "This one: Name of D" }));
  expect(await screen.findByRole("button", { name: "Put 2 lines into the basket" })).toBeDisabled();
  first.unmount();
  const { user } = openShop({ catalogue, at: AT_MESSAGE });
  await user.click(await screen.findByRole("button", { name: "Leave it out: Name of C" }));
  const used = answer("post", "/basket/messages/{message}", { success: 1 });
  await user.click(screen.getByRole("button", { name: "Put 2 lines into the basket" }));
  await waitFor(() => expect(used).toHaveLength(1));
  expect(learned.map(({ body }) => body)).toMatchObject([
    { code: "sun stick", sku: "D", row: 1, count: 40, remember: true },
    { code: "D", sku: "D", row: 1, count: 40, remember: false },
  ]);
});

it.each([
  [410, "The lines of this message are in your basket already.", /are in your basket already\.$/],
  [404, "Not found.", /^There is no message for you at this link\./],
])("says in place why a link to a message does not work: %s", async (status, message, said) => {
  refuse("get", "/basket/messages/{message}", { status, body: { success: 0, code: "?", message } });
  openShop({ catalogue, at: AT_MESSAGE });
  expect(await screen.findByRole("alert")).toHaveTextContent(said);
  expect(screen.getByRole("button", { name: "Read it" })).toBeEnabled();
});

it("names what a message says beside a number that is no product", async () => {
  answerReview([FINE], 0, ["bubble wrap 20"]);
  openShop({ catalogue });
  await ready();
  paste("A\t10\nbubble wrap\t20");
  expect(await screen.findByText("bubble wrap 20")).toBeVisible();
  expect(screen.getByText("Not read as a product, and not ordered:")).toBeVisible();
  expect(screen.getByRole("button", { name: "Put 1 line into the basket" })).toBeEnabled();
});

it("asks how many pieces the words of a message mean", async () => {
  const problem = { code: "bad_quantity" as const, text: "How many pieces are in 2 boxes?" };
  const boxes = reviewed(1, "B", {
    count: 0,
    words: "2 boxes",
    packs: 2,
    unit: "box",
    problems: [{ ...problem, fixes: [] }],
  });
  answerReview([boxes, FINE]);
  const { user } = openShop({ catalogue });
  await chooseFile(user);
  const popup = within(await dialog());
  const reviewedAgain = answer("post", "/account/own-codes", {
    success: 1,
    line: reviewed(1, "B", { count: 48 }),
  });
  await user.type(await popup.findByLabelText("Pieces of Name of B"), "48x");
  await user.click(popup.getByRole("button", { name: "Enter it" }));
  expect(await popup.findByRole("button", { name: "Put 2 lines into the basket" })).toBeEnabled();
  expect(reviewedAgain.map(({ body }) => body)).toEqual([
    { code: "B", sku: "B", row: 1, count: 48, remember: true, packs: 2, unit: "box" },
  ]);
});
