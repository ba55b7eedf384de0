import { screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
// Loaded with the file, so that no test waits for the popup's chunk.
import "@/shared/ui/NoticeDialog";
import { renderScreen } from "@/test/render";
import { answer } from "@/test/server";
import NoticeScreen from "./NoticeScreen";

const LIST = [
  { notice_id: 14, title: "Shipping calendar", build_date: "2026-11-18" },
  { notice_id: 3, title: "New brand", build_date: "2026-05-02" },
];
const DETAIL = {
  success: 1,
  notice: {
    noticeDetailTitle: "Shipping calendar",
    noticeDetailContent: "<p>Pick-ups <strong>before the break</strong></p>",
    fileList: [
      {
        notice_id: 14,
        filename: "1.a.b.pdf",
        name: "calendar.pdf",
        url: "/files/notice/14/1.a.b.pdf",
      },
    ],
  },
};

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-21T09:00:00Z") });
});
afterEach(() => {
  vi.useRealTimers();
});

function open(openFirst?: number) {
  answer("get", "/notice", { success: 1, notice: LIST });
  const opened = answer("post", "/notice/detail/{notice_id}", DETAIL);
  const at = { pathname: "/notice", state: { notice_id: openFirst } };
  return { ...renderScreen(<NoticeScreen />, { at }), opened };
}

it("lists titles and dates and marks those of the last 14 days", async () => {
  open();
  const rows = await screen.findAllByRole("listitem");
  expect(rows.map((row) => row.textContent?.replace(/\s+/g, " ").trim())).toEqual([
    "New Shipping calendar 18 Nov 2026",
    "New brand 2 May 2026",
  ]);
});

it("opens a notice with text and files, and closes it by its button", async () => {
  const { user, opened } = open();
  const row = await screen.findByRole("button", { name: /Shipping calendar/ });
  await user.click(row);
  const dialog = await screen.findByRole("dialog", { name: "Shipping calendar" });
  expect(await within(dialog).findByText("before the break")).toBeVisible();
  expect(within(dialog).getByText("18 Nov 2026")).toBeVisible();
  expect(within(dialog).getByRole("link", { name: "calendar.pdf" })).toHaveAttribute(
    "href",
    "/files/notice/14/1.a.b.pdf",
  );
  expect(opened[0]?.params).toEqual({ notice_id: "14" });
  const [, close] = within(dialog).getAllByRole("button", { name: "Close" });
  await user.click(close as HTMLElement);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(row).toHaveFocus());
});

it("opens the notice that the route's state names", async () => {
  const { opened } = open(14);
  expect(await screen.findByRole("dialog", { name: "Shipping calendar" })).toBeVisible();
  expect(opened).toHaveLength(1);
});

it("says that there are none", async () => {
  answer("get", "/notice", { success: 1, notice: [] });
  renderScreen(<NoticeScreen />);
  expect(await screen.findByText("There are no registered notices.")).toBeVisible();
});
