import { fireEvent, screen } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { vi } from "vitest";
import type { components } from "@/api/schema.gen";
import { server } from "@/test/server";
import { product } from "../testing";
import type { ReviewedLine } from "./list-review";

export const FIX = { sku: null, count: null };

export const NOTHING_PASSED = { passed: [], passed_why: [] };

/** A line of ten pieces without problems. */
export function reviewed(
  row: number,
  sku: string,
  fields: Partial<ReviewedLine> = {},
): ReviewedLine {
  const nothing = { own_code: "", words: "", called: "", packs: 0, unit: "" };
  return {
    row,
    rows: [row],
    sku,
    product: product(sku),
    count: 10,
    problems: [],
    candidates: [],
    ...nothing,
    ...fields,
  };
}

export const FINE = reviewed(3, "A");
export const GONE = reviewed(7, "C", {
  problems: [{ code: "short_stock", text: "Only 4 pieces are available.", fixes: [] }],
});

/** Answers every list with these lines, and returns what was sent. */
export function answerReview(
  lines: ReviewedLine[],
  without_quantity = 0,
  unread: string[] = [],
  more: Partial<components["schemas"]["ListReview"]> = {},
): File[] {
  const sent: File[] = [];
  vi.spyOn(FormData.prototype, "append").mockImplementation(
    (name, file) => void (name === "list" && sent.push(file as File)),
  );
  server.use(
    http.post(`${window.location.origin}/api/basket/review`, () =>
      HttpResponse.json({
        ...NOTHING_PASSED,
        success: 1,
        lines,
        without_quantity,
        unread,
        columns: [],
        list: null,
        ...more,
      }),
    ),
  );
  return sent;
}

/** Answers the sheet that is sent once its lines are in the basket, and returns the answers beside it. */
export function answerSheet(): string[] {
  const answers: string[] = [];
  vi.spyOn(FormData.prototype, "append").mockImplementation(
    (name, value) => void (name === "answers" && answers.push(String(value))),
  );
  server.use(
    http.post(`${window.location.origin}/api/basket/sheet`, () => new HttpResponse("the sheet")),
  );
  return answers;
}

export function refuseReview(status: number, body: object) {
  server.use(
    http.post(`${window.location.origin}/api/basket/review`, () =>
      HttpResponse.json(body, { status }),
    ),
  );
}

export async function ready() {
  return await screen.findByRole("button", { name: "Order from a list" });
}

export function paste(text: string, target: Element = document.body) {
  const clipboardData = { files: [], getData: () => text };
  fireEvent.paste(target, { clipboardData });
}

export async function dialog() {
  return await screen.findByRole("dialog", { name: "Order from a list" });
}

export async function chooseFile(user: {
  click: (element: Element) => Promise<void>;
  upload: (element: HTMLElement, file: File) => Promise<void>;
}) {
  await user.click(await ready());
  const chooser = (await dialog()).querySelector<HTMLInputElement>("input[type=file]");
  if (!chooser) throw new Error("no file field");
  await user.upload(chooser, new File(["x"], "Price_List.xlsx"));
}
