import { act, screen, waitFor, within } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, expect, it, vi } from "vitest";
import type { Schemas } from "@/api/client";
import { shipOf } from "@/domain/shipping";
import * as leave from "@/shared/navigation";
import { user as buyer, configuration, orderDetails } from "@/test/builders";
import { answerAlert } from "@/test/render";
import { answer, refuse, server } from "@/test/server";
import { openOrder, WRONG } from "./testing";

const DUE = {
  invoice_code: "MHW-1",
  status_id: 3,
  message: "Confirmed",
  balance_due: 2218.8,
  allowed: { checkout: true },
};

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  answer("get", "/config", configuration());
});

const SURCHARGE =
  "A surcharge applies to PayPal payments: 3.5 % for US customers and 5 % for South America. Please contact your sales representative. Do you want to continue?";
const CHANGED = "This order has changed in the meantime. It is now: Confirmed (Deposit received).";
const USE = "Pay $2,218.80 from wallet";
const LINK = "https://paypal.example/checkoutnow?token=EC-1";

async function openPopup({
  export_report = 1,
  credit = 0,
  lacks = [],
}: {
  export_report?: 0 | 1;
  credit?: number;
  /** What the quote leaves out. */
  lacks?: (keyof Info)[];
} = {}) {
  answer("get", "/wallet", { success: 1, balance: credit, entries: [] });
  const missing = Object.fromEntries(lacks.map((name) => [name, undefined]));
  const balance = answerBalance({ export_report, ...missing });
  const { user, where } = openOrder(DUE);
  await user.click(await screen.findByRole("button", { name: "Checkout" }));
  const popup = within(await screen.findByRole("dialog", { name: "Checkout" }));
  return { user, where, popup, balance };
}

/** In the place of the company's name. */
async function fillName(
  user: Awaited<ReturnType<typeof openPopup>>["user"],
  field: HTMLElement,
  name: string,
) {
  await user.clear(field);
  await user.type(field, name);
}

type Info = Schemas["BalanceInfo"];

function answerBalance(fields: Partial<Info> = {}) {
  return answer("post", "/order/checkout", {
    success: 1,
    info: {
      ...shipOf(buyer()),
      invoice_code: "MHW-1",
      type: "ORDER",
      export_report: 1,
      country: "Poland",
      state: "Mazowieckie",
      total: 2711,
      real_total: 2532.4,
      shipping_fee: 186.4,
      deposit: 500,
      amount: 2218.8,
      paypal_fee: 77.66,
      paypal_total: 2296.46,
      status_id: 3,
      ...fields,
    },
  });
}

it("shows what is paid, where it goes and the bank", async () => {
  const { popup } = await openPopup();
  expect(popup.getByText("ORDER")).toBeVisible();
  expect(popup.getByText("YES")).toBeVisible();
  expect(
    popup.getByText("ul. Lipowa 51, lok. 14, 00-682 Warszawa, Mazowieckie, Poland"),
  ).toBeVisible();
  expect(popup.getByRole("radio", { name: "Bank Wire" })).toBeChecked();
  expect(await popup.findByText("4008 117 220955")).toBeVisible();
  expect(popup.getByText("$2,218.80")).toBeVisible();
  expect(popup.queryByText(/credit|wallet/i)).toBeNull();
});

it("wants the depositor's name, then announces the wire and goes to the order", async () => {
  const { user, where, popup } = await openPopup();
  const wires = answer("post", "/order/tt", { success: 1 });
  const submit = popup.getByRole("button", { name: "Checkout" });
  const depositor = popup.getByRole("textbox", { name: "Account Name" });
  expect(depositor).toHaveValue(buyer().company);
  await user.clear(depositor);
  await user.click(submit);
  await answerAlert(user, "Depositor's name is required");
  expect(wires).toEqual([]);
  answer(
    "get",
    "/details/{invoice_code}",
    orderDetails({
      ...DUE,
      payment: "Waiting for your wire",
      payment_pending: true,
      allowed: { checkout: false },
    }),
  );
  await fillName(user, popup.getByRole("textbox", { name: "Account Name" }), "Brightwater{Enter}");
  await waitFor(() => expect(where()).toBe("/invoice/3?invoice_code=MHW-1"));
  expect(wires.map(({ body }) => body)).toEqual([
    { invoice_code: "MHW-1", depositor_name: "Brightwater", amount: 2218.8 },
  ]);
  expect(await screen.findByText("Payment under review")).toBeVisible();
  expect(screen.queryByText(/has changed since you opened it/)).toBeNull();
  await waitFor(() => expect(screen.queryByRole("button", { name: "Checkout" })).toBeNull());
});

it("closes after a refusal that leaves nothing to check out", async () => {
  const { user, popup } = await openPopup();
  refuse("post", "/order/tt", {
    status: 409,
    body: { code: "payment_pending", message: "A payment is under way." },
  });
  await fillName(user, popup.getByRole("textbox", { name: "Account Name" }), "Brightwater{Enter}");
  await answerAlert(user, CHANGED);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("says at the depositor's name what is wrong with it, until it is another", async () => {
  const { user, popup } = await openPopup();
  const errors = { depositor_name: ["Invoices cannot print it."] };
  refuse("post", "/order/tt", { status: 400, body: { code: "invalid", message: WRONG, errors } });
  const depositor = popup.getByRole("textbox", { name: "Account Name" });
  await fillName(user, depositor, "東京堂{Enter}");
  await waitFor(() => expect(depositor).toHaveAccessibleDescription("Invoices cannot print it."));
  expect(screen.queryByRole("alertdialog")).toBeNull();
  await user.type(depositor, "x");
  expect(depositor).not.toHaveAttribute("aria-invalid");
});

it("shows the balance anew that was corrected since it was shown", async () => {
  const { user, popup } = await openPopup();
  const errors = { amount: ["Not the quoted amount."] };
  refuse("post", "/order/tt", { status: 400, body: { code: "invalid", message: WRONG, errors } });
  answerBalance({ amount: 1999 });
  await user.type(popup.getByRole("textbox", { name: "Account Name" }), "Brightwater{Enter}");
  await answerAlert(user, "The balance due has changed. Please check the new amount.");
  expect(await popup.findByText("$1,999.00")).toBeVisible();
});

it("stays open when the call fails", async () => {
  const { user, popup } = await openPopup();
  refuse("post", "/order/tt", { status: 502 });
  await fillName(user, popup.getByRole("textbox", { name: "Account Name" }), "Brightwater{Enter}");
  await answerAlert(user, WRONG);
  expect(popup.getByRole("textbox", { name: "Account Name" })).toHaveValue("Brightwater");
});

it("alerts and stays closed when the balance cannot be loaded", async () => {
  answer("get", "/wallet", { success: 1, balance: 0, entries: [] });
  refuse("post", "/order/checkout", { status: 409, body: { code: "wrong_status", message: "" } });
  const { user } = openOrder(DUE);
  await user.click(await screen.findByRole("button", { name: "Checkout" }));
  await answerAlert(user, CHANGED);
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("asks about the surcharge, shows the server's fee and total, and leaves for PayPal", async () => {
  const leaveFor = vi.spyOn(leave, "leaveFor").mockReturnValue(undefined);
  const { user, popup } = await openPopup();
  const links = answer("post", "/order/paypal", { success: 1, link: LINK });
  await user.click(popup.getByRole("radio", { name: "PAYPAL" }));
  await answerAlert(user, SURCHARGE, "Cancel");
  expect(popup.getByRole("radio", { name: "Bank Wire" })).toBeChecked();
  expect(popup.queryByText(/PayPal fee/)).toBeNull();

  await user.click(popup.getByRole("radio", { name: "PAYPAL" }));
  await answerAlert(user, SURCHARGE, "Confirm");
  expect(popup.getByText("PayPal fee (3.5 %)").nextSibling).toHaveTextContent("$77.66");
  expect(popup.getByText("$2,296.46")).toBeVisible();
  expect(popup.queryByRole("textbox")).toBeNull();
  const submit = popup.getByRole("button", { name: "Checkout" });
  await user.click(submit);
  await waitFor(() => expect(leaveFor).toHaveBeenCalledExactlyOnceWith(LINK));
  expect(links.map(({ body }) => body)).toEqual([{ invoice_code: "MHW-1" }]);
  expect(submit).toBeDisabled();
});

it("works again, with what is due now, when the browser's Back shows it as it was left", async () => {
  vi.spyOn(leave, "leaveFor").mockReturnValue(undefined);
  const { user, popup } = await openPopup();
  answer("post", "/order/paypal", { success: 1, link: LINK });
  await user.click(popup.getByRole("radio", { name: "PAYPAL" }));
  await answerAlert(user, SURCHARGE, "Confirm");
  const submit = popup.getByRole("button", { name: "Checkout" });
  await user.click(submit);
  await waitFor(() => expect(submit).toBeDisabled());
  answerBalance({ amount: 100, paypal_fee: 3.5, paypal_total: 103.5 });
  const event = Object.assign(new Event("pageshow"), { persisted: true });
  act(() => void window.dispatchEvent(event));
  expect(await popup.findByText("$103.50")).toBeVisible();
  expect(submit).toBeEnabled();
});

it("sets PAYPAL from the start for an order without declaration, and asks before it leaves", async () => {
  const leaveFor = vi.spyOn(leave, "leaveFor").mockReturnValue(undefined);
  const { user, popup } = await openPopup({ export_report: 0 });
  const links = answer("post", "/order/paypal", { success: 1, link: LINK });
  expect(popup.getByRole("radio", { name: "PAYPAL" })).toBeChecked();
  expect(popup.getByText("$2,296.46")).toBeVisible();
  const submit = popup.getByRole("button", { name: "Checkout" });
  await user.click(submit);
  await answerAlert(user, SURCHARGE, "Cancel");
  expect(links).toEqual([]);
  await user.click(submit);
  await answerAlert(user, SURCHARGE, "Confirm");
  await waitFor(() => expect(leaveFor).toHaveBeenCalledExactlyOnceWith(LINK));
});

it("has Bank Wire alone where the quote has no PayPal, and refuses it without declaration", async () => {
  const { user, popup } = await openPopup({
    export_report: 0,
    lacks: ["paypal_fee", "paypal_total"],
  });
  expect(popup.getByRole("radio", { name: "Bank Wire" })).toBeChecked();
  expect(popup.queryByText(/paypal/i)).toBeNull();
  expect(popup.getByText("NO")).toBeVisible();
  expect(popup.getByText("$2,218.80")).toBeVisible();
  const wires = answer("post", "/order/tt", { success: 1 });
  await user.click(popup.getByRole("button", { name: "Checkout" }));
  await answerAlert(
    user,
    "Export Declaration is required for T/T payment. Please Contact to sales@marenholt.example",
  );
  expect(wires).toEqual([]);
});

it.each([
  { status: 502, code: "provider_unavailable", said: WRONG, open: true },
  { status: 409, code: "payment_refused", said: WRONG, open: true },
  { status: 409, code: "payment_pending", said: CHANGED, open: false },
])("alerts when there is no link: $code", async ({ status, code, said, open }) => {
  const { user, popup } = await openPopup({ export_report: 0 });
  refuse("post", "/order/paypal", { status, body: { code, message: WRONG } });
  await user.click(popup.getByRole("button", { name: "Checkout" }));
  await answerAlert(user, SURCHARGE, "Confirm");
  await answerAlert(user, said);
  await waitFor(() => expect(screen.queryAllByRole("dialog")).toHaveLength(open ? 1 : 0));
});

it("pays the whole balance with the credit, once, and goes to the paid order", async () => {
  const { user, where, popup } = await openPopup({ credit: 5000 });
  const uses = answer("post", "/order/wallet", { success: 1, amount: 2218.8, status_id: 4 });
  const use = await popup.findByRole("button", { name: USE });
  const question = `${USE}? $5,000.00 → $2,781.20`;
  await user.click(use);
  await answerAlert(user, question, "Cancel");
  expect(uses).toEqual([]);
  // It asks once where the button is pressed twice.
  await user.dblClick(use);
  await answerAlert(user, question, "Confirm");
  expect(
    await screen.findByText("$2,218.80 was paid from your wallet. Nothing is due."),
  ).toBeVisible();
  await waitFor(() => expect(where()).toBe("/invoice/4?invoice_code=MHW-1"));
  expect(uses.map(({ body }) => body)).toEqual([{ invoice_code: "MHW-1" }]);
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

it("pays a part with the credit and shows what is still due", async () => {
  const { user, popup } = await openPopup({ credit: 218.8 });
  answer("post", "/order/wallet", () => {
    answer("get", "/wallet", { success: 1, balance: 0, entries: [] });
    answerBalance({ amount: 2000, paypal_fee: 70, paypal_total: 2070 });
    return { success: 1, amount: 218.8, status_id: 3 };
  });
  await user.click(await popup.findByRole("button", { name: "Pay $218.80 from wallet" }));
  await answerAlert(user, "Pay $218.80 from wallet? $218.80 → $0.00", "Confirm");
  expect(await popup.findByText("$2,000.00")).toBeVisible();
  expect(
    popup.getByText("$218.80 was paid from your wallet. The rest is still due."),
  ).toBeVisible();
  await waitFor(() => expect(popup.queryByRole("button", { name: /from wallet$/ })).toBeNull());
});

it.each([true, false])("looks into the wallet where the answer is lost; paid: %s", async (paid) => {
  const { user, where, popup } = await openPopup({ credit: 5000 });
  const entry = {
    at: "2026-11-20T03:00:00Z",
    kind: "use" as const,
    amount: -2218.8,
    after: 2781.2,
    invoice_code: "MHW-1",
  };
  const pay = () => {
    answer("get", "/wallet", { success: 1, balance: 2781.2, entries: [entry] });
    answer("get", "/details/{invoice_code}", orderDetails({ ...DUE, status_id: 4, allowed: {} }));
  };
  server.use(
    http.post("*/order/wallet", () => {
      if (paid) pay();
      return HttpResponse.error();
    }),
  );
  await user.click(await popup.findByRole("button", { name: USE }));
  await answerAlert(user, `${USE}? $5,000.00 → $2,781.20`, "Confirm");
  if (!paid) return answerAlert(user, WRONG);
  expect(
    await screen.findByText("$2,218.80 was paid from your wallet. Nothing is due."),
  ).toBeVisible();
  await waitFor(() => expect(where()).toBe("/invoice/4?invoice_code=MHW-1"));
});
