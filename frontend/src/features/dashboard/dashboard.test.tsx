import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import type { components } from "@/api/schema.gen";
// Loaded with the file, so that no test waits for their chunks.
import "@/shared/ui/NoticeDialog";
import "./DashboardCards";
import "./OrderAmountChart";
import "./Popups";
import { renderScreen } from "@/test/render";
import { answer, hang } from "@/test/server";
import { DashboardScreen } from "./DashboardScreen";

type Dashboard = components["schemas"]["Dashboard"];

function open(fields: Partial<Dashboard> = {}) {
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
