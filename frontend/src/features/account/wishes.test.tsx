import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderScreen } from "@/test/render";
import { answer } from "@/test/server";
import type { Wish } from "./queries";
import { WishesPart } from "./WishesPart";

const WISH: Wish = {
  wish_id: 4,
  sku: "AUR-BC050",
  eng_name: "Barrier Bloom Cream",
  image: "",
  count: 1200,
  held: 30,
  held_text: "until Thu 26 Nov",
  why: "later",
  why_text: "Later",
  since: "2026-11-20",
  expected_text: "Thu 7 Jan",
  invoice_code: "MHW-261104-0015",
  manager: "Lena Vogt",
};
const UNKNOWN: Wish = {
  ...WISH,
  wish_id: 5,
  held: 0,
  held_text: "",
  sku: "NB-1020",
  eng_name: "",
  why: "unknown_sku",
  why_text: "Unknown code",
  expected_text: "",
  invoice_code: "",
};

const NONE = { lines: [], pieces: 0, until: "" };

it("lists open wishes with their order, and removes one after a question", async () => {
  answer("get", "/account/wishes", {
    success: 1,
    wishes: [WISH, UNKNOWN],
    offers: NONE,
    next: null,
  });
  const dropped = answer("delete", "/account/wishes/{wish_id}", { success: 1 });
  const { user } = renderScreen(<WishesPart />);
  const row = await screen.findByRole("row", { name: /Barrier Bloom Cream/ });
  for (const text of [
    "1,200",
    "pieces",
    "30 reserved until Thu 26 Nov",
    "Later",
    "about Thu 7 Jan",
    "20 Nov 2026",
  ]) {
    expect(within(row).getByText(text)).toBeVisible();
  }
  expect(within(row).getByRole("link")).toHaveAttribute(
    "href",
    "/invoice/0?invoice_code=MHW-261104-0015",
  );
  expect(screen.getByRole("row", { name: /^NB-1020/ })).toBeVisible();
  answer("get", "/account/wishes", { success: 1, wishes: [UNKNOWN], offers: NONE, next: null });
  await user.click(screen.getByRole("button", { name: "Remove Barrier Bloom Cream" }));
  await user.click(await screen.findByRole("button", { name: /OK|Confirm|Yes/ }));
  await waitFor(() => expect(screen.queryByText("Barrier Bloom Cream")).toBeNull());
  const last = screen.getByRole("button", { name: /^Remove NB-1020/ });
  expect(last).toHaveFocus();
  answer("get", "/account/wishes", { success: 1, wishes: [], offers: NONE, next: null });
  await user.click(last);
  await user.click(await screen.findByRole("button", { name: /OK|Confirm|Yes/ }));
  expect(await screen.findByText("Your waiting list is empty.")).toBeVisible();
  expect(screen.getByRole("searchbox")).toHaveFocus();
  expect(dropped.map(({ params }) => params)).toEqual([{ wish_id: "4" }, { wish_id: "5" }]);
});
