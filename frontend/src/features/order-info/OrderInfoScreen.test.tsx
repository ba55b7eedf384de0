import { focusManager } from "@tanstack/react-query";
import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { configuration, orderDetails, orderInList, user } from "@/test/builders";
import { answerAlert } from "@/test/render";
import { answer, refuse } from "@/test/server";
import { answerList, openOrder, openOrders, WRONG, watchView } from "./testing";

const CODES = ["MHW-261118-0417", "MHW-261112-0398"];

/** Answers the list with these codes as its only page, and each one's details. */
function answerOrders(codes: readonly string[] = CODES) {
  const lists = answerList(...codes.map((code) => orderInList(code)));
  const details = answer("get", "/details/{invoice_code}", ({ params }) =>
    orderDetails({ invoice_code: String(params.invoice_code) }),
  );
  return { lists, details };
}

function row(code: string) {
  return screen.findByRole("link", { name: new RegExp(`^MHW.*${code}|^${code}`) });
}

function shownOrder(code: string) {
  return screen.findByRole("heading", { level: 2, name: code });
}

const search = () => screen.getByRole("searchbox", { name: "Search Invoice Number" });

/** The query of a phone holds. */
function onPhone() {
  const listeners = { addEventListener: vi.fn(), removeEventListener: vi.fn() };
  vi.spyOn(window, "matchMedia").mockImplementation(
    (query) => ({ ...listeners, matches: query !== "print" }) as unknown as MediaQueryList,
  );
}

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

afterEach(() => {
  focusManager.setFocused(undefined);
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

it("has the six tabs as links, the current one marked", async () => {
  const { lists } = answerOrders();
  openOrders("/invoice/3");
  const tabs = within(screen.getByRole("navigation", { name: "Orders by status" }));
  expect(
    tabs.getAllByRole("link").map((tab) => [tab.textContent, tab.getAttribute("href")]),
  ).toEqual([
    ["All Orders", "/invoice/0"],
    ["Received Orders", "/invoice/1"],
    ["Preparing Orders", "/invoice/2"],
    ["Confirmed Orders", "/invoice/3"],
    ["Completed Payment", "/invoice/4"],
    ["Shipment Completed", "/invoice/5"],
  ]);
  expect(tabs.getByRole("link", { current: "page" })).toHaveTextContent("Confirmed Orders");
  await row("0417");
  expect(lists.map(({ params }) => params.status_id)).toEqual(["3"]);
});

it("shows the first order until another is selected, which the address then names", async () => {
  answerOrders();
  const { user: actor, where } = openOrders("/invoice/0");
  await shownOrder("MHW-261118-0417");
  expect(await row("0417")).toHaveAttribute("aria-current", "true");
  await actor.click(await row("0398"));
  await shownOrder("MHW-261112-0398");
  expect(where()).toBe("/invoice/0?invoice_code=MHW-261112-0398");
  expect(await row("0417")).not.toHaveAttribute("aria-current");
});

it("shows the order that the address names although the tab does not hold it", async () => {
  answerOrders();
  openOrders("/invoice/4?invoice_code=MHW-OTHER-1");
  await shownOrder("MHW-OTHER-1");
  expect(screen.queryByRole("link", { current: true })).toBeNull();
});

it("asks the server for what is searched and filtered, keeps it in the address, and says when nothing is found", async () => {
  const { lists } = answerOrders();
  const { user: actor, sums, where } = openOrders("/invoice/0");
  await row("0417");
  expect(await screen.findByText(/\$4,321.50$/)).toBeVisible();
  expect(screen.getByText(/^2 orders/)).toHaveTextContent("2 orders + 1 cancelled · $4,321.50");
  await actor.type(search(), "cream");
  await waitFor(() => expect(lists.at(-1)?.url.search).toBe("?search=cream"));
  await actor.click(screen.getByRole("button", { name: "Filter" }));
  expect(screen.queryByRole("checkbox", { name: /^Refunded/ })).toBeNull();
  await actor.click(screen.getByRole("checkbox", { name: "Waiting for wire 2" }));
  await actor.click(screen.getByRole("checkbox", { name: "Balance due 1" }));
  await actor.click(screen.getByRole("checkbox", { name: "Oldest first" }));
  await actor.click(screen.getByRole("button", { name: "Show" }));
  expect(screen.queryByRole("checkbox")).toBeNull();
  expect(screen.getByRole("button", { name: "Filter 2" })).toHaveFocus();
  await waitFor(() =>
    expect(lists.at(-1)?.url.search).toBe("?search=cream&payment=wire%2Cbalance&sort=oldest"),
  );
  await waitFor(() => expect(sums.at(-1)?.url.search).toBe("?search=cream&payment=wire%2Cbalance"));
  const filters = "search=cream&payment=wire%2Cbalance&sort=oldest";
  await waitFor(() => expect(where()).toBe(`/invoice/0?${filters}`));
  await actor.click(await row("0398"));
  await waitFor(() => expect(where()).toBe(`/invoice/0?invoice_code=MHW-261112-0398&${filters}`));
  await actor.click(screen.getByRole("button", { name: "Filter 2" }));
  await actor.click(screen.getByRole("button", { name: "Clear" }));
  await waitFor(() => expect(where()).toBe("/invoice/0?invoice_code=MHW-261112-0398&search=cream"));
  answerOrders([]);
  await actor.type(search(), "0999");
  expect(await screen.findByText("No Results Found.")).toBeVisible();
});

it("begins with what the address asks for", async () => {
  const { lists } = answerOrders();
  const { user: actor, where } = openOrders("/invoice/1?search=cream&since=2026-11-01&sort=oldest");
  await row("0417");
  expect(lists.map(({ url }) => url.search)).toEqual([
    "?search=cream&since=2026-11-01&sort=oldest",
  ]);
  expect(search()).toHaveValue("cream");
  await actor.click(screen.getByRole("button", { name: "Filter 2" }));
  await actor.type(screen.getByLabelText("To"), "2026-10-01");
  expect(screen.getByText("“From” is after “To”.")).toBeVisible();
  await actor.click(screen.getByRole("button", { name: "Show" }));
  expect(lists).toHaveLength(1);
  await actor.keyboard("{Escape}");
  expect(screen.queryByLabelText("To")).toBeNull();
  await actor.click(screen.getByRole("button", { name: "Filter 2" }));
  await actor.click(screen.getByRole("button", { name: "Clear" }));
  await waitFor(() => expect(where()).toBe("/invoice/1?search=cream"));
});

it("saves what is searched as the server's file", async () => {
  const { lists } = answerOrders();
  const { user: actor } = openOrders("/invoice/0");
  await row("0417");
  await actor.type(search(), "cream");
  await waitFor(() => expect(lists.at(-1)?.url.search).toBe("?search=cream"));
  URL.createObjectURL = () => "blob:orders";
  URL.revokeObjectURL = () => undefined;
  const clicked = vi.spyOn(HTMLAnchorElement.prototype, "click").mockReturnValue(undefined);
  await actor.click(await screen.findByRole("button", { name: "Export" }));
  await actor.click(await screen.findByRole("menuitem", { name: "CSV" }));
  await waitFor(() => expect(clicked).toHaveBeenCalledOnce());
  expect(lists.at(-1)?.url.search).toBe("?search=cream&format=csv");
});

it("leads a company without orders to its first", async () => {
  answerOrders([]);
  openOrders("/invoice/0");
  const first = await screen.findByRole("link", { name: "Choose products" });
  expect(first).toHaveAttribute("href", "/order");
  const list = screen.getByText("No Results Found.");
  expect(first.compareDocumentPosition(list)).toBe(Node.DOCUMENT_POSITION_FOLLOWING);
  expect(screen.queryByRole("region", { name: "Order Details" })).toBeNull();
});

it("says 'No Results Found.' of a tab without orders", async () => {
  const { details } = answerOrders([]);
  openOrders("/invoice/1");
  expect(await screen.findByText("No Results Found.")).toBeVisible();
  expect(details).toEqual([]);
});

it("loads the next page when the end of the list comes into view", async () => {
  answerOrders();
  const look = watchView();
  const lists = answer("get", "/order/{status_id}", ({ url }) => {
    const second = url.searchParams.get("after") === "a";
    const code = second ? "MHW-1" : "MHW-2";
    return {
      success: 1,
      orderList: [orderInList(code)],
      has_next: !second,
      next: second ? null : "a",
    };
  });
  openOrders("/invoice/0");
  await row("MHW-2");
  act(() => look(true));
  expect(await row("MHW-1")).toBeVisible();
  expect(lists).toHaveLength(2);
});

it("alerts when details fail to load and lets the buyer try again", async () => {
  answerOrders();
  refuse("get", "/details/{invoice_code}", { status: 502 });
  const { user: actor } = openOrders("/invoice/0");
  await answerAlert(actor, WRONG);
  const again = await screen.findByRole("button", { name: "Try again" });
  answer("get", "/details/{invoice_code}", orderDetails({ invoice_code: "MHW-261118-0417" }));
  await actor.click(again);
  await shownOrder("MHW-261118-0417");
});

it("alerts once when list and details fail together", async () => {
  refuse("get", "/order/{status_id}", { status: 502 });
  refuse("get", "/details/{invoice_code}", { status: 502 });
  const { user: actor } = openOrders("/invoice/0?invoice_code=MHW-1");
  await waitFor(() =>
    expect(screen.getAllByRole("button", { name: "Try again", hidden: true })).toHaveLength(2),
  );
  await answerAlert(actor, WRONG);
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

it("fetches details again when the tab is looked at after 45 minutes, not before", async () => {
  vi.useFakeTimers({ toFake: ["Date"] });
  const { details } = answerOrders();
  openOrders("/invoice/0");
  await shownOrder("MHW-261118-0417");
  const lookAgain = async () => {
    act(() => focusManager.setFocused(false));
    act(() => focusManager.setFocused(true));
  };
  vi.setSystemTime(Date.now() + 44 * 60_000);
  await lookAgain();
  expect(details).toHaveLength(1);
  vi.setSystemTime(Date.now() + 2 * 60_000);
  await lookAgain();
  await waitFor(() => expect(details).toHaveLength(2));
});

it("shows a phone the list first, then the order with a way back", async () => {
  onPhone();
  const { details } = answerOrders();
  const { user: actor, where } = openOrders("/invoice/2");
  const first = await row("0417");
  expect(details).toEqual([]);
  expect(screen.queryByRole("heading", { name: "Order Details" })).toBeNull();
  await actor.click(first);
  await shownOrder("MHW-261118-0417");
  expect(screen.getByRole("heading", { name: "MHW-261118-0417" })).toHaveFocus();
  expect(screen.queryByRole("searchbox")).toBeNull();
  expect(screen.queryByRole("button", { name: "Filter" })).toBeNull();
  await actor.click(screen.getByRole("link", { name: "Next order" }));
  await shownOrder("MHW-261112-0398");
  expect(screen.queryByRole("link", { name: "Next order" })).toBeNull();
  const order = screen.getByRole("region", { name: "MHW-261112-0398" });
  const way = order.previousElementSibling as HTMLElement;
  await actor.click(within(way).getByRole("link", { name: "Preparing Orders" }));
  expect(where()).toBe("/invoice/2");
  expect(await row("0398")).toHaveFocus();
});

it("leads a phone from the band to the message box, where one may be written", async () => {
  onPhone();
  const { user: actor } = openOrder({ invoice_code: "MHW-9" });
  await actor.click(await screen.findByRole("button", { name: "Messages" }));
  expect(screen.getByRole("textbox", { name: "Message" })).toHaveFocus();
});

it("shows the facts of the order and the address", async () => {
  const buyer = user();
  openOrder({
    invoice_code: "MHW-9",
    memo: "",
    count: 6,
    total: 2711,
    ship_city: buyer.ship_city,
  });
  const details = within(screen.getByRole("region", { name: "Order Details" }));
  const facts = (await details.findAllByRole("term")).map((term) => [
    term.textContent,
    term.nextElementSibling?.textContent,
  ]);
  expect(facts).toEqual([
    ["Order date", "12 Nov 2026"],
    ["Products in order", "6"],
    ["Subtotal", "$2,711.00"],
    ["Order type", "ORDER"],
    ["PO number", "Add"],
    ["Memo", "–"],
    ["E-mail", "orders@brightwater-trading.example"],
    ["Company", "Brightwater Trading Co."],
    ["Country", "Poland"],
    ["State", "Mazowieckie"],
    ["City", "Warszawa"],
    ["Address 1", "ul. Lipowa 51"],
    ["Address 2", "lok. 14"],
    ["Zipcode", "00-682"],
    ["Phone", "+48 22 555 01 74"],
  ]);
});

it("says what is to be done now, and each step with its promise", async () => {
  openOrder({ invoice_code: "MHW-9" });
  const band = within(await screen.findByRole("region", { name: "MHW-9" }));
  const todo = within(await band.findByRole("region", { name: "Next step" }));
  expect(todo.getByRole("heading", { name: "Deposit received on 12 Nov 2026" })).toBeVisible();
  expect(todo.getByText("We confirm your lines by Tue 17 Nov.")).toBeVisible();
  const steps = within(band.getByRole("list", { name: "Order status" })).getAllByRole("listitem");
  expect(steps.map((step) => step.textContent)).toEqual([
    "Received12 Nov 2026 (reached)",
    "Preparing13 Nov 2026 (reached)",
    "ConfirmedPromised for Tue 17 Nov",
  ]);
  expect(steps[1]).toHaveAttribute("aria-current", "step");
});

it("tells where the wire goes, and copies it", async () => {
  const next_step = {
    kind: "deposit_wire",
    tone: "warn",
    title: "Pay the deposit by wire: $1,030.00",
    text: "By Wed 18 Nov. We start preparing once it arrives.",
    amount: 1030,
    rows: [] as never[],
  } as const;
  answer("get", "/config", configuration());
  answer("get", "/order/wire/{invoice_code}", { success: 1, wire: null });
  const { user: actor } = openOrder({
    invoice_code: "MHW-9",
    payment: "Waiting for your wire",
    next_step,
  });
  await actor.click(await screen.findByRole("button", { name: "Copy all" }));
  expect(await screen.findByText("Copied")).toBeInTheDocument();
  expect(await navigator.clipboard.readText()).toContain("Amount: $1,030.00\nReference: MHW-9");
});

it("shows amount, pieces and payment in the list, or the answers that it waits for", async () => {
  answerOrders([]);
  const order = orderInList("MHW-9", { payment: "Waiting for your wire", payment_tone: "warn" });
  const cancelled = orderInList("MHW-8", { status_id: 0, message: "Cancelled" });
  answerList(order, cancelled, orderInList("MHW-7", { answers: "3 answers by 24 Nov" }));
  openOrders("/invoice/0");
  expect(await row("MHW-9")).toHaveTextContent(
    "MHW-9$2,711.0012 Nov 2026 · 120 piecesPreparingWaiting for wire",
  );
  // Of a cancelled order nothing is due.
  const list = within(screen.getByRole("region", { name: "Orders" }));
  const struckOut = list.getAllByText("$2,711.00").map((amount) => amount.tagName);
  expect(struckOut).toEqual(["SPAN", "S", "SPAN"]);
  expect(await row("MHW-7")).toHaveTextContent("Preparing3 answers by 24 Nov");
  expect(await row("MHW-7")).not.toHaveTextContent("Deposit received");
});
