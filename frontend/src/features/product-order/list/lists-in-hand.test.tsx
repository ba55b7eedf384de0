import { screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http, type JsonBodyType } from "msw";
import { beforeEach, expect, it, vi } from "vitest";
import { drafts } from "@/shared/drafts";
import { toasts } from "@/shared/ui/toasts";
import { user as buildUser } from "@/test/builders";
import { answer, refuse, server } from "@/test/server";
import "./ListDialog";
import { decisionsOf, replayed } from "./decisions";
import { watchList } from "./list-watch";
import type { ListInHand } from "./lists-in-hand";
import "./ListsInHand";
import { openShop, product, storedBasket } from "../testing";
import { changed, type Decision, fromReview, type ReviewedLine } from "./list-review";
import { answerReview, chooseFile, FINE, FIX, NOTHING_PASSED, reviewed } from "./testing-list";

beforeEach(() => {
  // jsdom lays nothing out: rows need a height to be told from each other.
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(96);
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

const UUID = "0f8fad5b-d9cb-469f-a165-70867728950e";
const OTHER = "7c9e6679-7425-40de-944b-e07fc1f90ae7";
const THIRD = "9b2d8f1e-5c3a-4e67-8a94-d1f0b6c72e35"; // what one test has dropped, the page shows no more
const AT_LIST = `/order?list=${UUID}`;
const catalogue = [product("A"), product("B"), product("C")];

const SHORT = reviewed(4, "B", {
  problems: [
    {
      code: "short_stock",
      text: "Only 5 pieces are available.",
      fixes: [{ text: "Change to 5", sku: null, count: 5 }],
    },
  ],
});
const DEARER = reviewed(5, "C", {
  problems: [
    { code: "price_changed", text: "The price is $9.", fixes: [{ ...FIX, text: "Accept $9.00" }] },
  ],
});
const UNKNOWN = reviewed(6, "OWN-1", {
  product: null,
  problems: [{ code: "unknown_sku", text: "This SKU is not in your price list.", fixes: [] }],
});

function inHand(fields: Partial<ListInHand> = {}): ListInHand {
  const plain = { rows: 20000, rows_read: 0, remark: "", decided: 0 };
  const sent_at = "2026-11-24T02:05:00+09:00";
  return { uuid: UUID, name: "Kelp-order.xlsx", state: "ready", sent_at, ...plain, ...fields };
}

function answerLists(...lists: ListInHand[]) {
  return answer("get", "/basket/lists", { success: 1, lists });
}

function answerOpened(
  list: Partial<ListInHand>,
  lines?: ReviewedLine[],
  decisions: Decision[] = [],
  chosen: ReviewedLine[] = [],
) {
  const rest = { without_quantity: 0, unread: [], columns: [], list: UUID, ...NOTHING_PASSED };
  const review = lines ? { success: 1, lines, ...rest } : null;
  const body = { success: 1, list: inHand(list), review, decisions, chosen };
  return answer("get", "/basket/lists/{list_uuid}", body);
}

function answerComing(list: Partial<ListInHand>) {
  server.use(
    http.post(`${window.location.origin}/api/basket/review`, () =>
      HttpResponse.json({ success: 1, list: inHand(list) }, { status: 202 }),
    ),
  );
}

/** Answers 202 once the returned function is called. */
function answerLater(body: JsonBodyType): () => void {
  let now: () => void = () => undefined;
  const asked = new Promise<void>((resolve) => {
    now = resolve;
  });
  server.use(
    http.post(`${window.location.origin}/api/basket/review`, async () => {
      await asked;
      return HttpResponse.json(body, { status: 202 });
    }),
  );
  return now;
}

// The first one, before another list is watched by the real clock.
it("says on another page that a list is read", async () => {
  vi.useFakeTimers();
  try {
    answerLists(inHand({ state: "reading" }));
    watchList(inHand({ state: "waiting" }));
    await vi.advanceTimersByTimeAsync(4000);
    expect(toasts.current()).toBeUndefined();
    answerLists(inHand());
    await vi.advanceTimersByTimeAsync(4000);
    await vi.waitFor(() =>
      expect(toasts.current()?.text).toBe("Kelp-order.xlsx is ready: check it under Product order"),
    );
  } finally {
    vi.useRealTimers();
  }
});

it("shows how far a long list is, can be left, and opens its review once it is read", async () => {
  answerComing({ state: "waiting" });
  answerOpened({ state: "reading", rows_read: 12000 });
  const { user, where } = openShop({ catalogue });
  await chooseFile(user);
  const said = "Reading your list: 12,000 of 20,000 rows";
  expect(await screen.findByText(said)).toBeVisible();
  const bar = screen.getByRole("progressbar", { name: "Reading your list" });
  expect(bar).toHaveAttribute("aria-valuetext", said);
  expect(screen.getByText("You can leave this: it waits for you here.")).toBeVisible();
  await waitFor(() => expect(where()).toBe(AT_LIST));
  answerOpened({ state: "ready" }, [FINE]);
  expect(await screen.findByText("1 line fine", {}, { timeout: 3000 })).toBeVisible();
  expect(screen.getByText("Kelp-order.xlsx", { selector: "[role=dialog] *" })).toBeVisible();
});

it("says in the form why a long list could not be read, and forgets it", async () => {
  answerComing({ state: "waiting" });
  answerOpened({ state: "refused", remark: "No row has a quantity." });
  const dropped = answer("delete", "/basket/lists/{list_uuid}", { success: 1 });
  const { user, where } = openShop({ catalogue });
  await chooseFile(user);
  const alert = await screen.findByRole("alert");
  expect(alert).toHaveTextContent("Kelp-order.xlsx No row has a quantity.");
  expect(screen.getByRole("button", { name: "Read it" })).toBeEnabled();
  await waitFor(() => expect(dropped.map(({ params }) => params.list_uuid)).toEqual([UUID]));
  await waitFor(() => expect(where()).toBe("/order"));
});

it("keeps what is decided, and is closed by Back with all its work", async () => {
  answerReview([FINE, SHORT], 0, [], { list: UUID });
  const kept = answer("put", "/basket/lists/{list_uuid}", { success: 1 });
  const { user, where } = openShop({ catalogue });
  await chooseFile(user);
  await user.click(await screen.findByRole("button", { name: "Change to 5: Name of B" }));
  await waitFor(() => expect(where()).toBe(AT_LIST));
  answerLists(inHand({ decided: 1 }));
  await user.click(screen.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(where()).toBe("/order"));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  const fixed = [{ code: "short_stock" as const, fix: "Change to 5" }];
  const decisions = [{ row: 4, out: false, wished: false, sku: "", count: 0, fixed }];
  await waitFor(() => expect(kept.at(-1)?.body).toEqual({ decisions }));
});

it("goes on with a list where it was left, on whatever device", async () => {
  const fixed = [{ code: "short_stock" as const, fix: "Change to 5" }];
  const decisions = [
    { row: 4, out: false, wished: false, sku: "", count: 0, fixed },
    { row: 6, out: false, wished: false, sku: "C", count: 20, fixed: [] },
  ];
  answerLists(inHand({ decided: 2 }));
  answerOpened({ decided: 2 }, [FINE, SHORT, UNKNOWN], decisions, [
    reviewed(6, "C", { count: 20 }),
  ]);
  const { user, where } = openShop({ catalogue });
  await user.click(await screen.findByRole("button", { name: "Go on checking: Kelp-order.xlsx" }));
  expect(await screen.findByText("3 lines fine")).toBeVisible();
  await waitFor(() => expect(where()).toBe(AT_LIST));
  const dropped = answer("delete", "/basket/lists/{list_uuid}", { success: 1 });
  server.use(
    http.post(`${window.location.origin}/api/basket/sheet`, () => new HttpResponse("the sheet")),
  );
  const used = answer("post", "/basket/lists/{list_uuid}", { success: 1 });
  const looked = answer("post", "/basket/sheet/preview", {
    success: 1,
    head: 2,
    own: ["Art.-Nr.", "Stück"],
    added: ["SKU", "Ordered", "Why not"],
    rows: [
      { row: 3, own: ["NB-1", "10"], added: ["A", "10", ""] },
      { row: 17, own: ["NB-2", "ein paar"], added: ["", "0", "Left out by you."] },
    ],
  });
  answerLists();
  await user.click(screen.getByRole("button", { name: "Put 3 lines into the basket" }));
  expect(await screen.findByText("3 lines are in the basket")).toBeVisible();
  // Some rows of the sheet as it comes back, before it is fetched.
  const seen = within(await screen.findByRole("region", { name: "Some rows of your sheet" }));
  expect(seen.getAllByRole("row").map(({ textContent }) => textContent)).toEqual([
    "2Art.-Nr.StückSKUOrderedWhy not",
    "3NB-110A10",
    "17NB-2ein paar0Left out by you.",
  ]);
  const [body] = looked.map((asked) => asked.body as { uuid: string; answers: object[] });
  expect([body?.uuid, body?.answers.length]).toEqual([UUID, 3]);
  expect(storedBasket()).toEqual([
    { sku: "A", count: 10 },
    { sku: "B", count: 5 },
    { sku: "C", count: 20 },
  ]);
  expect(used.map(({ params }) => params.list_uuid)).toEqual([UUID]);
  // A reload from here on finds nothing that could be put in once more.
  await waitFor(() => expect(where()).toBe("/order"));
  await waitFor(() =>
    expect(screen.queryByRole("list", { name: "Lists in hand", hidden: true })).toBeNull(),
  );
  expect(dropped).toEqual([]);
  await user.click(screen.getByRole("button", { name: "To the basket" }));
  await waitFor(() => expect(where()).toBe("/order?panel=basket"));
  expect(dropped.map(({ params }) => params.list_uuid)).toEqual([UUID]);
});

const IN_BASKET = {
  success: 0,
  code: "used",
  message: "The lines of this list are in your basket already.",
};

it("puts a list's lines in once: of two browsers the other is told, and a lost answer is repeated", async () => {
  answerReview([FINE], 0, [], { list: UUID });
  const { user } = openShop({ catalogue });
  await chooseFile(user);
  const put = await screen.findByRole("button", { name: "Put 1 line into the basket" });
  refuse("post", "/basket/lists/{list_uuid}", { status: 410, body: IN_BASKET });
  await user.click(put);
  expect(await screen.findByText(IN_BASKET.message)).toBeVisible();
  const lost = refuse("post", "/basket/lists/{list_uuid}", { status: 502 });
  await user.click(put);
  expect(await screen.findByText("That did not work. Please try again.")).toBeVisible();
  expect(storedBasket()).toBeNull();
  const used = answer("post", "/basket/lists/{list_uuid}", { success: 1 });
  await user.click(put);
  expect(await screen.findByText("1 line is in the basket")).toBeVisible();
  expect(storedBasket()).toEqual([{ sku: "A", count: 10 }]);
  expect(used[0]?.body).toEqual({ key: expect.stringMatching(/^[0-9a-f-]{36}$/) });
  expect(used[0]?.body).toEqual(lost[0]?.body);
});

it("stays closed when the answer arrives: the list is among those in hand", async () => {
  const answered = answerLater({ success: 1, list: inHand({ state: "waiting" }) });
  const { user, where } = openShop({ catalogue });
  await chooseFile(user);
  await user.click(await screen.findByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  answerLists(inHand());
  answered();
  expect(await screen.findByText("ready to be checked")).toBeVisible();
  await user.type(await screen.findByRole("combobox", { name: /Search product/ }), "name");
  expect(screen.queryByRole("dialog")).toBeNull();
  expect(where()).toBe("/order");
});

it("asks before the page is left while a list is being sent", async () => {
  const leave = () => {
    const event = new Event("beforeunload", { cancelable: true });
    window.dispatchEvent(event);
    return event.defaultPrevented;
  };
  const answered = answerLater({ success: 1, list: inHand({ state: "waiting" }) });
  answerOpened({ state: "waiting" });
  const { user } = openShop({ catalogue });
  expect(leave()).toBe(false);
  await chooseFile(user);
  await waitFor(() => expect(leave()).toBe(true));
  answered();
  await screen.findByText("Your list is next to be read");
  expect(leave()).toBe(false);
});

it("sends the same list again where no answer came", async () => {
  const sent: unknown[] = [];
  vi.spyOn(FormData.prototype, "append").mockImplementation((name, value) => {
    sent.push(name === "list" ? (value as File).name : value);
  });
  const at = `${window.location.origin}/api/basket/review`;
  server.use(http.post(at, () => HttpResponse.error()));
  const { user } = openShop({ catalogue });
  await chooseFile(user);
  const alert = await screen.findByRole("alert");
  answerComing({ state: "waiting" });
  answerOpened({ state: "waiting" });
  await user.click(within(alert).getByRole("button", { name: "Try again" }));
  expect(await screen.findByText("Your list is next to be read")).toBeVisible();
  expect(sent.slice(0, 2)).toEqual([expect.stringMatching(/^[0-9a-f-]{36}$/), "Price_List.xlsx"]);
  expect(sent.slice(2)).toEqual(sent.slice(0, 2));
});

it.each([
  [
    404,
    { success: 0, code: "not_found", message: "Not found." },
    "This list is not in hand any more. Send it again.",
  ],
  [410, IN_BASKET, IN_BASKET.message],
])("says why the list of the address is not opened: %s", async (status, body, text) => {
  refuse("get", "/basket/lists/{list_uuid}", { status, body });
  const { user, where } = openShop({ catalogue, at: AT_LIST });
  expect(await screen.findByText(text)).toBeVisible();
  expect(screen.queryByRole("button", { name: "Try again" })).toBeNull();
  await user.click(screen.getAllByRole("button", { name: "Close" })[0] as HTMLElement);
  await waitFor(() => expect(where()).toBe("/order"));
});

it("drops a list without a question, and takes that back", async () => {
  const dropped = answer("delete", "/basket/lists/{list_uuid}", { success: 1 });
  answerLists(inHand(), inHand({ uuid: "2", name: "other.csv", state: "reading", rows_read: 300 }));
  const { user } = openShop({ catalogue });
  const lists = await screen.findByRole("list", { name: "Lists in hand" });
  expect(within(lists).getByText("300 of 20,000 rows read")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Drop Kelp-order.xlsx" }));
  await waitFor(() => expect(within(lists).queryByText("Kelp-order.xlsx")).toBeNull());
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(await within(lists).findByText("Kelp-order.xlsx")).toBeVisible();
  expect(dropped).toEqual([]);
});

it("drops a list for good when the page is left meanwhile", async () => {
  const dropped = answer("delete", "/basket/lists/{list_uuid}", { success: 1 });
  answerLists(inHand({ uuid: OTHER }));
  const { user } = openShop({ catalogue });
  await user.click(await screen.findByRole("button", { name: "Drop Kelp-order.xlsx" }));
  window.dispatchEvent(new Event("pagehide"));
  await waitFor(() => expect(dropped.map(({ params }) => params.list_uuid)).toEqual([OTHER]));
  window.dispatchEvent(new Event("pagehide"));
  expect(dropped).toHaveLength(1);
});

it("tells lists of one name apart, and makes room at once for the next one", async () => {
  const dropped = answer("delete", "/basket/lists/{list_uuid}", { success: 1 });
  answerLists(inHand(), inHand({ uuid: THIRD, rows: 12, sent_at: "2026-11-23T18:40:00Z" }));
  answerReview([FINE]);
  const { user } = openShop({ catalogue });
  expect(await screen.findByText(/^12 rows, sent 2\d Nov \d\d:40$/)).toBeVisible();
  await user.click(screen.getByRole("button", { name: /^Drop Kelp-order.xlsx, 12 rows/ }));
  await chooseFile(user);
  expect(await screen.findByText("1 line fine")).toBeVisible();
  expect(dropped.map(({ params }) => params.list_uuid)).toEqual([THIRD]);
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
});

it("sends what an earlier visit could not send before it opens a list", async () => {
  const decisions = [{ row: 3, out: true, wished: false, sku: "", count: 0, fixed: [] }];
  await drafts.keep(buildUser().uuid, `list:${UUID}`, decisions);
  const kept = answer("put", "/basket/lists/{list_uuid}", { success: 1 });
  answerOpened({ decided: 1 }, [FINE, SHORT], decisions);
  openShop({ catalogue, at: AT_LIST });
  expect(await screen.findByText("0 lines fine")).toBeVisible();
  expect(kept.map(({ body }) => body)).toEqual([{ decisions }]);
  expect(await drafts.read(buildUser().uuid, `list:${UUID}`)).toBeNull();
});

it("replays what was decided as far as it still fits", () => {
  let lines = fromReview([FINE, SHORT, DEARER, UNKNOWN]);
  const [fix] = SHORT.problems[0]?.fixes ?? [];
  const [accept] = DEARER.problems[0]?.fixes ?? [];
  if (!fix || !accept) throw new Error("no fix");
  lines = changed(lines, { does: "fix", row: 4, code: "short_stock", fix });
  lines = changed(lines, { does: "fix", row: 5, code: "price_changed", fix: accept });
  lines = changed(lines, { does: "choose", row: 6, reviewed: reviewed(6, "B") });
  lines = changed(lines, { does: "wish", row: 3 });
  const decisions = decisionsOf(lines);
  expect(decisions.map(({ row, out, sku }) => [row, out, sku])).toEqual([
    [3, true, ""],
    [4, false, ""],
    [5, false, ""],
    [6, false, "B"],
  ]);
  const fresh = fromReview([FINE, SHORT, DEARER, UNKNOWN]);
  expect(decisionsOf(replayed(fresh, decisions, [reviewed(6, "B")]))).toEqual(decisions);
  // Another price, and a product that is gone, are asked about again; a row that is gone is nothing.
  const dearer = {
    ...DEARER,
    problems: [
      { code: "price_changed" as const, text: "$10", fixes: [{ ...FIX, text: "Accept $10.00" }] },
    ],
  };
  const changes = replayed(fromReview([SHORT, dearer, UNKNOWN]), decisions, [
    reviewed(6, "B", { product: null }),
  ]);
  expect(decisionsOf(changes).map(({ row }) => row)).toEqual([4]);
});
