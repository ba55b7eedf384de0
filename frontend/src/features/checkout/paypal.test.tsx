import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import * as configs from "@/shared/config";
import * as leave from "@/shared/navigation";
import { dismissAlerts } from "@/shared/ui/alerts";
import { user as buildUser } from "@/test/builders";
import { answerAlert } from "@/test/render";
import { answer, type Refusal, refuse } from "@/test/server";
import { CODE, checkoutButton, openCheckout, quote, storedBasket } from "./testing";

const WRONG = "Something went wrong. Please contact the administrator.";
const WAIT = "The payment is in progress. Please wait a moment.";
const SURCHARGE =
  "A surcharge applies to PayPal payments: 3.5 % for US customers and 5 % for South America. Please contact your sales representative. Do you want to continue?";
const LINK = "https://paypal.example/checkoutnow?token=EC-1";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

type Opened = ReturnType<typeof openCheckout>;

async function choosePaypal({ user }: Opened, answered: "Confirm" | "Cancel" = "Confirm") {
  await user.click(await screen.findByRole("radio", { name: /^PAYPAL/ }));
  await answerAlert(user, SURCHARGE, answered);
}

async function submit({ user }: Opened) {
  await user.click(await checkoutButton());
}

/** Shows the page again as the browser's Back does. */
function showAgain() {
  const event = Object.assign(new Event("pageshow"), { persisted: true });
  act(() => void window.dispatchEvent(event));
}

it("asks about the surcharge; then shows the server's fee and total in place of the bank", async () => {
  const opened = openCheckout();
  await choosePaypal(opened, "Cancel");
  await waitFor(() => expect(screen.getByRole("radio", { name: /^Bank Wire/ })).toBeChecked());
  expect(screen.queryByText(/PayPal fee/)).toBeNull();

  await choosePaypal(opened);
  expect(screen.getByText("PayPal fee (3.5 %)").nextSibling).toHaveTextContent("$32.13");
  expect(screen.getAllByText("$950.13")).not.toHaveLength(0);
  expect(screen.queryByLabelText(/^Account Name\*?$/)).toBeNull();
});

it("asks the seller's own question where there is one", async () => {
  const own = "PayPal adds 2.9 %. Go on?";
  vi.spyOn(configs, "config").mockReturnValue({ ...configs.config(), paypal_warning: own });
  const { user } = openCheckout();
  await user.click(await screen.findByRole("radio", { name: /^PAYPAL/ }));
  await answerAlert(user, own, "Confirm");
  expect(screen.getByRole("radio", { name: /^PAYPAL/ })).toBeChecked();
});

it("sends the form with the quoted total and leaves for PayPal; the basket stays", async () => {
  const leaveFor = vi.spyOn(leave, "leaveFor").mockReturnValue(undefined);
  const opened = openCheckout();
  const links = answer("post", "/order/checkout-deposit/paypal", { success: 1, link: LINK });
  await choosePaypal(opened);
  await opened.user.click(screen.getByRole("radio", { name: "NO" }));
  await opened.user.click(screen.getByRole("checkbox", { name: /^I am responsible/ }));
  await opened.user.type(screen.getByLabelText("Request for Shipping"), "Together, please.");
  await opened.user.type(screen.getByLabelText("PO number"), "PO-7");
  await submit(opened);
  await waitFor(() => expect(leaveFor).toHaveBeenCalledExactlyOnceWith(LINK));
  const { company_id, company, manager, minimum_order, stock_free, ...sent } = buildUser();
  expect(links[0]?.body).toEqual({
    ...sent,
    invoice_code: CODE,
    type: "ORDER",
    payment_type: "PAYPAL",
    export_report: 0,
    ship_memo: "Together, please.",
    po_number: "PO-7",
    amount: 950.13,
  });
  expect(links[0]?.url.search).toBe("?send=0");
  expect(await checkoutButton()).toBeDisabled();
  expect(storedBasket()).toHaveLength(1);
});

it("works again when the browser's Back shows the page as it was left", async () => {
  const leaveFor = vi.spyOn(leave, "leaveFor").mockReturnValue(undefined);
  const opened = openCheckout();
  answer("post", "/order/checkout-deposit/paypal", { success: 1, link: LINK });
  await choosePaypal(opened);
  await submit(opened);
  await waitFor(() => expect(leaveFor).toHaveBeenCalledOnce());
  expect(await checkoutButton()).toBeDisabled();
  showAgain();
  await waitFor(async () => expect(await checkoutButton()).toBeEnabled());
  await waitFor(() => expect(opened.loads).toHaveLength(2));
  expect(screen.getByRole("radio", { name: /^PAYPAL/ })).toBeChecked();
  await submit(opened);
  await waitFor(() => expect(leaveFor).toHaveBeenCalledTimes(2));
});

it("brings the form back as it was for a buyer who cancels at PayPal, until it is started afresh", async () => {
  vi.spyOn(leave, "leaveFor").mockReturnValue(undefined);
  const opened = openCheckout();
  answer("post", "/order/checkout-deposit/paypal", { success: 1, link: LINK });
  await choosePaypal(opened);
  await opened.user.click(screen.getByRole("radio", { name: "NO" }));
  await opened.user.click(screen.getByRole("checkbox", { name: /^I am responsible/ }));
  await opened.user.type(screen.getByLabelText("Request for Shipping"), "Together, please.");
  await opened.user.click(screen.getByRole("button", { name: "Change address" }));
  await opened.user.clear(screen.getByLabelText(/^City\*?$/));
  await opened.user.type(screen.getByLabelText(/^City\*?$/), "Kraków");
  await submit(opened);
  await waitFor(() => expect(leave.leaveFor).toHaveBeenCalledOnce());
  opened.unmount();

  const { user } = openCheckout();
  expect(await screen.findByText(/Kraków/)).toBeVisible();
  expect(screen.getByLabelText("Request for Shipping")).toHaveValue("Together, please.");
  expect(screen.getByRole("radio", { name: "NO" })).toBeChecked();
  expect(screen.getByRole("checkbox", { name: /^I am responsible/ })).toBeChecked();
  expect(screen.getByRole("radio", { name: /^PAYPAL/ })).toBeChecked();
  expect(screen.queryByRole("alertdialog")).toBeNull();

  await user.click(screen.getByRole("button", { name: "Discard draft" }));
  expect(screen.getByText(/Warszawa/)).toBeVisible();
  expect(screen.getByRole("radio", { name: /^Bank Wire/ })).toBeChecked();
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(screen.getByText(/Kraków/)).toBeVisible();
});

it("keeps no answer to a question that was not answered", async () => {
  const opened = openCheckout();
  await opened.user.type(await screen.findByLabelText("Request for Shipping"), "Together");
  await opened.user.click(screen.getByRole("radio", { name: /^PAYPAL/ }));
  await screen.findByRole("alertdialog");
  await screen.findByText("Saved as a draft until you check out");
  opened.unmount();
  dismissAlerts();

  openCheckout();
  expect(await screen.findByLabelText("Request for Shipping")).toHaveValue("Together");
  expect(screen.getByRole("radio", { name: /^Bank Wire/ })).toBeChecked();
});

it.each<Refusal & { text: string }>([
  { status: 502, body: { code: "provider_unavailable", message: WRONG }, text: WRONG },
  { status: 409, body: { code: "payment_refused", message: WRONG }, text: WRONG },
  { status: 400, body: { message: WRONG, errors: { amount: ["Another."] } }, text: WRONG },
])("says why there is no link, and stays: $status $body.code", async ({ text, ...refusal }) => {
  const leaveFor = vi.spyOn(leave, "leaveFor").mockReturnValue(undefined);
  const opened = openCheckout();
  refuse("post", "/order/checkout-deposit/paypal", refusal);
  await choosePaypal(opened);
  await submit(opened);
  await answerAlert(opened.user, text);
  expect(opened.where()).toBe(`/order/checkout-deposit/${CODE}`);
  expect(await checkoutButton()).toBeEnabled();
  expect(leaveFor).not.toHaveBeenCalled();
});

it.each(["/order/checkout-deposit/paypal", "/order/checkout-deposit/tt"] as const)(
  "waits in the place of the form when %s finds a payment under way",
  async (call) => {
    const opened = openCheckout();
    if (call === "/order/checkout-deposit/paypal") await choosePaypal(opened);
    else await opened.user.type(await screen.findByLabelText(/^Account Name\*?$/), "Ines Brandt");
    refuse("post", call, { status: 409, body: { code: "payment_pending", message: WRONG } });
    const result = quote({ payment_pending: true });
    answer("get", "/temp-order-info/stock/{invoice_code}", { success: 1, result });
    await submit(opened);
    expect(await screen.findByText(WAIT)).toBeVisible();
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(screen.queryByRole("button", { name: "Checkout" })).toBeNull();
  },
);

it("waits for a payment under way, and goes to the order that it makes", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    const result = quote({ payment_pending: true }, { expect_qty: 0 });
    const { where, loads } = openCheckout({ result });
    expect(await screen.findByText(WAIT)).toBeVisible();
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(screen.queryByRole("link")).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(21_000));
    expect(loads.length).toBeGreaterThan(1);
    expect(
      screen.getByText(/Your payment is still being confirmed. Your order page will show it./),
    ).toBeVisible();
    expect(screen.getByRole("link", { name: "Go to the order page" })).toHaveAttribute(
      "href",
      "/invoice/0",
    );
    refuse("get", "/temp-order-info/stock/{invoice_code}", {
      status: 409,
      body: { code: "order_exists", message: "This order already exists. Go to the order page." },
    });
    await act(() => vi.advanceTimersByTimeAsync(3_000));
    await waitFor(() => expect(where()).toBe(`/invoice/1?invoice_code=${CODE}`));
    expect(screen.queryByRole("alertdialog")).toBeNull();
    expect(storedBasket()).toEqual([]);
  } finally {
    vi.useRealTimers();
  }
});

it("offers no PayPal where the quote has none, whatever the draft holds; a late press is told", async () => {
  const opened = openCheckout();
  await choosePaypal(opened);
  const message = "We take bank wires only. Nothing was charged. Please pay by bank wire.";
  refuse("post", "/order/checkout-deposit/paypal", {
    status: 409,
    body: { code: "wire_only", message },
  });
  const { paypal_fee, paypal_total, ...order } = quote().temp_order;
  const result = { ...quote(), temp_order: order };
  answer("get", "/temp-order-info/stock/{invoice_code}", { success: 1, result });
  await submit(opened);
  await answerAlert(opened.user, message);
  await waitFor(() => expect(screen.queryByRole("radio", { name: /^PAYPAL/ })).toBeNull());
  expect(screen.getByRole("radio", { name: /^Bank Wire/ })).toBeChecked();
  expect(screen.getByLabelText(/^Account Name\*?$/)).toBeVisible();
  const wires = answer("post", "/order/checkout-deposit/tt", { success: 1, invoice_code: CODE });
  await submit(opened);
  await waitFor(() => expect(wires).toHaveLength(1));
  expect(wires[0]?.body).toMatchObject({ amount: 918, payment_type: "T/T" });
});

it("shows the form again when the payment came to nothing", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  try {
    openCheckout({ result: quote({ payment_pending: true }) });
    expect(await screen.findByText(WAIT)).toBeVisible();
    answer("get", "/temp-order-info/stock/{invoice_code}", { success: 1, result: quote() });
    await act(() => vi.advanceTimersByTimeAsync(3_000));
    expect(await checkoutButton()).toBeEnabled();
    expect(screen.queryByText(WAIT)).toBeNull();
  } finally {
    vi.useRealTimers();
  }
});
