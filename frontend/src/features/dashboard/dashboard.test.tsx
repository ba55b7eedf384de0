import { screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { Schemas } from "@/api/client";
// Loaded with the file, so that no test waits for their chunks.
import "@/shared/ui/NoticeDialog";
import "./DashboardCards";
import "./OrderAmountChart";
import "./Popups";
import { renderScreen } from "@/test/render";
import { answer, hang, refuse } from "@/test/server";
import DashboardScreen from "./DashboardScreen";

type Dashboard = Schemas["Dashboard"];
type WhatIsDue = Schemas["WhatIsDue"];
type Regular = WhatIsDue["regulars"][number];

function open(
  fields: Partial<Dashboard> = {},
  steps: WhatIsDue["steps"] = [],
  regulars: readonly Regular[] = [],
) {
  const due = { success: 1, owed: 1983.4, more: 3, steps, regulars: [...regulars] };
  answer("get", "/dashboard/due/{uuid}", due);
  answer("post", "/dashboard", {
    success: 1,
    notice: [{ notice_id: 14, title: "Shipping calendar", build_date: "2026-11-18" }],
    order: { ready: 2, receipt: 1, confirm: 3, paid: 0, shipped: 28 },
    purchase: [
      { build_date: "2026-09", total: 12847.1 },
      { build_date: "2026-10", total: 21643.2 },
      { build_date: "2026-11", total: 0 },
    ],
    popup: [],
    ...fields,
  });
  const opened = answer("post", "/dashboard/notice/{notice_id}", ({ params }) => ({
    success: 1,
    notice: {
      noticeDetailTitle: `Notice ${params.notice_id}`,
      noticeDetailContent: `<p>Text of ${params.notice_id}</p>`,
      fileList: [],
    },
  }));
  return { ...renderScreen(<DashboardScreen />, { at: "/dashboard" }), opened };
}

it("tells the amounts of the three months in a table and their sum", async () => {
  open();
  const table = await screen.findByRole("table", { name: "Order amount in the last 3 months" });
  const cells = within(table).getAllByRole("cell");
  expect(cells.map((cell) => cell.textContent)).toEqual(["$12,847.10", "$21,643.20", "$0.00"]);
  expect(screen.getByText("$34,490.30")).toBeVisible();
  // The drawing is the library's; it has no size here.
  await waitFor(() =>
    expect(document.querySelector(".recharts-responsive-container")).toBeInTheDocument(),
  );
});

it("shows its cards, busy and without figures, until they are known", async () => {
  hang("post", "/dashboard");
  renderScreen(<DashboardScreen />, { at: "/dashboard" });
  expect(await screen.findByRole("region", { name: "Notice" })).toHaveAttribute(
    "aria-busy",
    "true",
  );
  expect(screen.queryByRole("table")).toBeNull();
  expect(screen.queryByText("There are no registered notices.")).toBeNull();
});

it("opens a notice of the card and leads to all of them", async () => {
  const { user, opened } = open();
  const card = await screen.findByRole("region", { name: "Notice" });
  expect(within(card).getByRole("link", { name: /more/ })).toHaveAttribute("href", "/notice");
  await user.click(await within(card).findByRole("button", { name: /Shipping calendar/ }));
  const dialog = await screen.findByRole("dialog", { name: "Notice 14" });
  expect(within(dialog).getByText("Text of 14")).toBeVisible();
  expect(opened.map(({ params }) => params.notice_id)).toEqual(["14"]);
});

it("says that there are no notices", async () => {
  open({ notice: [] });
  expect(await screen.findByText("There are no registered notices.")).toBeVisible();
  expect(screen.queryByRole("dialog")).toBeNull();
});

it.each([
  ["8", "9"],
  ["9", "8"],
])("opens the pop-ups by themselves; %s and then %s are closed one by one", async (first, then) => {
  const { user } = open({ popup: [8, 9] });
  const close = async (id: string) => {
    const popup = await screen.findByRole("dialog", { name: `Notice ${id}` });
    await user.click(within(popup).getByRole("button", { name: "Close" }));
  };
  await screen.findByRole("dialog", { name: `Notice ${then}` });
  await close(first);
  expect(screen.queryByRole("dialog", { name: `Notice ${first}` })).toBeNull();
  const left = screen.getByRole("dialog", { name: `Notice ${then}` });
  expect(within(left).getByRole("button", { name: "Close" })).toHaveFocus();
  await close(then);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("Escape closes the pop-up with the focus alone", async () => {
  const { user } = open({ popup: [8, 9] });
  const second = await screen.findByRole("dialog", { name: "Notice 9" });
  within(second).getByRole("button", { name: "Close" }).focus();
  await user.keyboard("{Escape}");
  await waitFor(() => expect(second).not.toBeInTheDocument());
  expect(screen.getByRole("dialog", { name: "Notice 8" })).toBeVisible();
});

const PRODUCT: NonNullable<Regular["product"]> = {
  ...{ sku: "A", eng_name: "Golden Rice Cream", brand_id: 1, brand: "Aurelle", image: "a.png" },
  images: ["a.png"],
  ...{
    is_running: 1,
    qty: 500,
    expect_qty: 500,
    held: 0,
    usd_price: 30,
    usd_supply: 15.64,
    usual_price: null,
    price_until: null,
    minimum: 10,
  },
  ...{
    ean: null,
    weight: 120,
    count: 60,
    moq: 10,
    step: 10,
    availability: "On sale",
    selectable: 1,
  },
};

function regular(sku: string): Regular {
  return {
    ...{ sku, eng_name: `Name of ${sku}`, count: 60, notes: [], every_days: 32, days_ago: 51 },
    product: { ...PRODUCT, sku },
  };
}

it("says what the buyer does before what the seller does, each step with the way to its order", async () => {
  const step = { tone: "warn", late: false, status_id: 3, kind: "balance" } as const;
  const { user } = open({}, [
    {
      ...step,
      ...{ title: "Balance $535.50", text: "MHW-15", due: "by Fri 27 Nov", action: "Pay" },
      invoice_code: "MHW-15",
    },
    {
      ...{ ...step, kind: "promise", tone: "bad", late: true, action: "" },
      ...{ title: "We ship MHW-13", text: "Promised for Fri 20 Nov", due: "1 day late" },
      invoice_code: "MHW-13",
    },
    {
      ...{ ...step, kind: "answers", status_id: 2, action: "Answer" },
      ...{ title: "2 proposals need your answer", text: "MHW-11", due: "by Wed 25 Nov" },
      invoice_code: "MHW-11",
    },
  ]);
  const card = within(await screen.findByRole("region", { name: "To do" }));
  expect(await card.findByText("$1,983.40")).toBeVisible();
  await user.click(card.getByText("With us: 1 order"));
  const rows = card.getAllByRole("listitem").map((row) => row.textContent);
  expect(rows).toEqual([
    "Balance $535.50MHW-15by Fri 27 NovPay",
    "2 proposals need your answerMHW-11by Wed 25 NovAnswer",
    "We ship MHW-13Promised for Fri 20 Nov1 day late",
  ]);
  const to = (name: string) => card.getByRole("link", { name }).getAttribute("href");
  expect(to("Pay, MHW-15")).toBe("/invoice/0?invoice_code=MHW-15");
  expect(to("We ship MHW-13")).toBe("/invoice/0?invoice_code=MHW-13");
  expect(to("Answer, MHW-11")).toBe("/invoice/0?invoice_code=MHW-11&proposals=1");
  expect(to("3 more")).toBe("/account/overview");
});

it("puts what is due for reorder into the basket, and takes that back", async () => {
  localStorage.setItem("basket", JSON.stringify([{ sku: "OWN", count: 10 }]));
  const { user } = open({}, [], [regular("A"), regular("C")]);
  const card = within(await screen.findByRole("region", { name: "Due for reorder" }));
  await user.click(await card.findByRole("button", { name: "Add 2 to basket" }));
  const stored = () => JSON.parse(localStorage.getItem("basket") ?? "");
  expect(stored()).toEqual(
    ["OWN", "A", "C"].map((sku) => ({ sku, count: sku === "OWN" ? 10 : 60 })),
  );
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(stored()).toEqual([{ sku: "OWN", count: 10 }]);
});

it("leads a company without orders to its first, beside the notices", async () => {
  const order = { ready: 0, receipt: 0, confirm: 0, paid: 0, shipped: 0 };
  open({ order, purchase: [{ build_date: "2026-11", total: 0 }] });
  const first = await screen.findByRole("link", { name: "Choose products" });
  expect(first).toHaveAttribute("href", "/order");
  expect(await screen.findByRole("button", { name: /Shipping calendar/ })).toBeVisible();
  expect(screen.queryByRole("region", { name: "Order status" })).toBeNull();
});

it("says when nothing is due, and tries again in place when that cannot be told", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { user } = open();
  refuse("get", "/dashboard/due/{uuid}", { status: 502 });
  const card = within(await screen.findByRole("region", { name: "To do" }));
  const again = await card.findByRole("button", { name: "Try again" });
  answer("get", "/dashboard/due/{uuid}", { success: 1, owed: 0, more: 0, steps: [], regulars: [] });
  await user.click(again);
  expect(await card.findByText("Nothing for you to do.")).toBeVisible();
  expect(screen.getByText("Nothing is due for reorder.")).toBeVisible();
});

it.each([
  [21643.2, "/order?again=2026-10&panel=basket"],
  [0, null],
])("offers to order last month again where there was something: %d", async (total, link) => {
  open({
    purchase: [
      { build_date: "2026-10", total },
      { build_date: "2026-11", total: 5 },
    ],
  });
  await screen.findByRole("table");
  const button = screen.queryByRole("link", { name: "Order last month again" });
  expect(button?.getAttribute("href") ?? null).toBe(link);
});
