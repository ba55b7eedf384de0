import { fireEvent, screen, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { beforeEach, vi } from "vitest";
import { answer } from "@/test/server";
import "./ListDialog";
import "./SheetColumns";
import { openShop, product } from "../testing";
import type { Review } from "./list-in-hand";
import type { LineProblem, ReviewedLine } from "./list-review";

export const UUID = "0f8fad5b-d9cb-469f-a165-70867728950e";

/** jsdom lays nothing out: rows need a height to be told from each other. */
export function layOutRows() {
  beforeEach(() => {
    vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(96);
    vi.spyOn(console, "error").mockImplementation(() => undefined);
  });
}

/** A line of ten pieces without problems. */
export function reviewed(
  row: number,
  sku: string,
  fields: Partial<ReviewedLine> = {},
): ReviewedLine {
  return {
    ...{ row, rows: [row], sku, product: product(sku), count: 10, problems: [], candidates: [] },
    ...{ own_code: "", words: "", called: "", packs: 0, unit: "" },
    ...fields,
  };
}

/** A problem with a button for each fix: what it says, and the pieces that it sets. */
export function problem(
  code: LineProblem["code"],
  text: string,
  fixes: Readonly<Record<string, number | null>> = {},
): LineProblem {
  return {
    code,
    text,
    fixes: Object.entries(fixes).map(([text, count]) => ({ text, count })),
  };
}

export const FINE = reviewed(3, "A");
export const SHORT = reviewed(6, "B", {
  count: 900,
  problems: [problem("short_stock", "Only 500 pieces are available.", { "Change to 500": 500 })],
});
/** A row that nobody understands: shown with its own words. */
export const ASKED = reviewed(7, "", {
  ...{ product: null, count: 40, words: "sun stick 40", called: "sun stick" },
  problems: [problem("which_product", "Which product do you mean?")],
});

export function reviewOf(lines: ReviewedLine[], fields: Partial<Review> = {}): Review {
  return {
    ...{ success: 1, lines, list: UUID, replaced: null, tab: 0, columns: [] },
    ...{ passed: [], passed_why: [], without_quantity: 0 },
    ...fields,
  };
}

/** Answers every list with these lines; returns what was sent by the names of the form's fields. */
export function answerReview(lines: ReviewedLine[], fields: Partial<Review> = {}) {
  const sent: Record<string, unknown>[] = [];
  vi.spyOn(FormData.prototype, "append").mockImplementation((name: string, value: unknown) => {
    sent.push({ [name]: value });
  });
  answer("post", "/basket/review", reviewOf(lines, fields));
  answer("post", "/basket/list", { success: 1 });
  answer("put", "/basket/list", { success: 1 });
  return sent;
}

export async function openForm(user: UserEvent) {
  await user.click(await screen.findByRole("button", { name: "More" }));
  await user.click(await screen.findByRole("menuitem", { name: "Order from a list" }));
  return await dialog();
}

export async function dialog(name = "Order from a list") {
  return within(await screen.findByRole("dialog", { name }));
}

export async function chooseFile(user: UserEvent) {
  await openForm(user);
  const chooser = document.querySelector<HTMLInputElement>("input[type=file]");
  if (chooser) await user.upload(chooser, new File(["x"], "Price_List.xlsx"));
}

/** Opens the review of a file with these lines. */
export async function openReview(lines: ReviewedLine[], fields: Partial<Review> = {}) {
  const sent = answerReview(lines, fields);
  const catalogue = ["A", "B", "0041", "D"].map((sku) => product(sku));
  const shop = openShop({ catalogue });
  await chooseFile(shop.user);
  const popup = await dialog();
  await popup.findByText(/lines? ready$/);
  return { ...shop, popup, sent };
}

export function paste(text: string, target: Element = document.body) {
  fireEvent.paste(target, { clipboardData: { files: [], getData: () => text } });
}
