import { act, screen, waitFor } from "@testing-library/react";
import { StrictMode } from "react";
import { Route, Routes } from "react-router";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { DeclinedLine } from "@/shared/ui/DeclinedLine";
import { answerAlert, renderScreen } from "@/test/render";
import { answer, type Refusal, refuse } from "@/test/server";
import { PaymentFailureScreen, PaymentSuccessScreen } from "./PaymentReturn";

const CODE = "MHW-261120-0431";
const WAIT = "The payment is in progress. Please wait a moment.";
const WRONG = "Something went wrong. Please contact the administrator.";
const QUERY = "amount=1277.70&paymentId=PAYID-1&token=EC-1&PayerID=PAYER12345678";
const CHECKOUT = `/order/checkout-deposit/${CODE}`;

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  localStorage.setItem("basket", JSON.stringify([{ sku: "AUR-BC050", count: 60 }]));
});
afterEach(() => {
  vi.useRealTimers();
});

const basketIsEmpty = () => localStorage.getItem("basket") === "[]";

function open(
  Screen: typeof PaymentSuccessScreen | typeof PaymentFailureScreen,
  isDeposit: boolean,
  query: string,
) {
  const back = { invoiceCode: CODE, isDeposit, query: new URLSearchParams(query) };
  return renderScreen(
    <StrictMode>
      <Screen back={back} />
    </StrictMode>,
    { at: `/checkout/success/${CODE}/${isDeposit ? 1 : 0}?${query}` },
  );
}
const succeed = (isDeposit: boolean, query = QUERY) => open(PaymentSuccessScreen, isDeposit, query);
const fail = (isDeposit: boolean, query = "token=EC-1") =>
  open(PaymentFailureScreen, isDeposit, query);

describe("the success page", () => {
  it("confirms a deposit once with what PayPal brought back, then shows the order", async () => {
    const calls = answer("post", "/order/checkout-deposit/paypal/success", {
      success: 1,
      invoice_code: CODE,
      status_id: 1,
    });
    const { where } = succeed(true);
    expect(screen.getByRole("heading", { name: WAIT })).toBeVisible();
    await waitFor(() => expect(where()).toBe(`/invoice/1?invoice_code=${CODE}`));
    expect(calls.map(({ body }) => body)).toEqual([
      {
        invoice_code: CODE,
        payment_type: "PAYPAL",
        payment_id: "PAYID-1",
        token: "EC-1",
        payer_id: "PAYER12345678",
        amount: "1277.70",
      },
    ]);
    expect(basketIsEmpty()).toBe(true);
  });

  it.each([4, 3])("confirms a balance and shows the order at status %i", async (status_id) => {
    answer("post", "/order/paypal/success", { success: 1, invoice_code: CODE, status_id });
    const { where } = succeed(false);
    await waitFor(() => expect(where()).toBe(`/invoice/${status_id}?invoice_code=${CODE}`));
    expect(basketIsEmpty()).toBe(false);
  });

  it("takes a return that names no payment", async () => {
    const calls = answer("post", "/order/paypal/success", { success: 1, status_id: 4 });
    succeed(false, "amount=10.35&token=EC-1&PayerID=PAYER12345678");
    await waitFor(() => expect(calls[0]?.body).toMatchObject({ payment_id: "", token: "EC-1" }));
  });

  it("asks again with growing pauses while the payment is being confirmed", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const calls = answer("post", "/order/paypal/success", { success: 0 });
    const { where } = succeed(false);
    await waitFor(() => expect(calls).toHaveLength(1));
    await act(() => vi.advanceTimersByTimeAsync(11_000));
    const soon = calls.length;
    expect(soon).toBeGreaterThan(2);
    expect(soon).toBeLessThan(6);
    expect(screen.queryByRole("link")).toBeNull();
    await act(() => vi.advanceTimersByTimeAsync(12_000));
    expect(calls.length - soon).toBeLessThan(soon);
    expect(screen.getByRole("link", { name: "Go to the order page" })).toHaveAttribute(
      "href",
      `/invoice/0?invoice_code=${CODE}`,
    );
    expect(
      screen.getByText(/^Your payment is still being confirmed\. Your order page will show it\./),
    ).toBeVisible();

    answer("post", "/order/paypal/success", { success: 1, status_id: 4 });
    await act(() => vi.advanceTimersByTimeAsync(9_000));
    await waitFor(() => expect(where()).toBe(`/invoice/4?invoice_code=${CODE}`));
    expect(new Set(calls.map(({ body }) => JSON.stringify(body))).size).toBe(1);
  });

  it("goes to the orders after a minute without a definite answer", async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    answer("post", "/order/checkout-deposit/paypal/success", { success: 0 });
    const { where } = succeed(true);
    await act(() => vi.advanceTimersByTimeAsync(61_000));
    await waitFor(() => expect(where()).toBe("/invoice/0"));
    const said = "Your payment is still being confirmed. Your order page will show it.";
    expect(screen.getByText(said, { selector: ".bg-toast" })).toBeVisible();
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });

  it.each([
    { status: 429, body: { code: "throttled", message: "Too many attempts." } },
    { status: 503, body: { code: "unavailable", message: "Please try again in a moment." } },
    { status: 409, body: { code: "busy", message: "Please try again in a moment." } },
  ])("asks again after $status $body.code", async (refusal) => {
    vi.useFakeTimers({ shouldAdvanceTime: true });
    const calls = refuse("post", "/order/paypal/success", refusal);
    const { where } = succeed(false);
    await waitFor(() => expect(calls).toHaveLength(1));
    answer("post", "/order/paypal/success", { success: 1, status_id: 4 });
    await act(() => vi.advanceTimersByTimeAsync(2_000));
    await waitFor(() => expect(where()).toBe(`/invoice/4?invoice_code=${CODE}`));
  });

  const EXISTS = "This order already exists. Go to the order page.";
  const STOCK = "Some products are out of stock. Please check and try again";
  it.each<Refusal & { deposit: boolean; text: string; to: string }>([
    {
      deposit: true,
      status: 409,
      body: { code: "payment_refused", message: WRONG },
      text: WRONG,
      to: CHECKOUT,
    },
    {
      deposit: false,
      status: 409,
      body: { code: "payment_refused", message: WRONG },
      text: WRONG,
      to: "/invoice/0",
    },
    {
      deposit: true,
      status: 409,
      body: { code: "out_of_stock", message: STOCK },
      text: STOCK,
      to: CHECKOUT,
    },
    {
      deposit: true,
      status: 409,
      body: { code: "order_exists", message: EXISTS },
      text: EXISTS,
      to: "/invoice/0",
    },
    { deposit: true, status: 400, body: { message: "Missing." }, text: WRONG, to: CHECKOUT },
    { deposit: false, status: 502, text: WRONG, to: "/invoice/0" },
  ])(
    "says what was refused, then leaves: $status $body.code, deposit $deposit",
    async ({ deposit, text, to, ...refusal }) => {
      const call = deposit ? "/order/checkout-deposit/paypal/success" : "/order/paypal/success";
      const calls = refuse("post", call, refusal);
      const { user, where } = succeed(deposit);
      await answerAlert(user, text);
      await waitFor(() => expect(where()).toBe(to));
      expect(screen.queryByRole("alertdialog")).toBeNull();
      expect(calls).toHaveLength(1);
    },
  );
});

describe("a declined payment", () => {
  const declined = "PayPal declined this payment, and nothing was charged.";
  it.each([
    [true, "/order/checkout-deposit/paypal/success", CHECKOUT],
    [false, "/order/paypal/success", "/invoice/0"],
  ] as const)(
    "is told in place on the page that it leads to; deposit %s",
    async (deposit, call, to) => {
      const errors = { payment_type: [declined] };
      refuse("post", call, {
        status: 409,
        body: { code: "payment_refused", message: WRONG, errors },
      });
      const back = { invoiceCode: CODE, isDeposit: deposit, query: new URLSearchParams(QUERY) };
      const { user } = renderScreen(
        <Routes>
          <Route path="/checkout/*" element={<PaymentSuccessScreen back={back} />} />
          <Route path="*" element={<DeclinedLine />} />
        </Routes>,
        { at: `/checkout/success/${CODE}/1?${QUERY}` },
      );
      await answerAlert(user, WRONG);
      expect(await screen.findByText(new RegExp(declined))).toBeVisible();
      expect(screen.queryAllByRole("link", { name: CODE })).toHaveLength(to === CHECKOUT ? 0 : 1);
    },
  );
});

describe("the failure page", () => {
  it.each([
    [true, "/order/checkout-deposit/paypal/failure", CHECKOUT],
    [false, "/order/paypal/failure", "/invoice/0"],
  ] as const)("shows nothing and leaves; deposit %s", async (deposit, call, to) => {
    const calls = answer("post", call, { success: 1 });
    const { where, container } = fail(deposit);
    expect(container).not.toHaveTextContent(/./);
    await waitFor(() => expect(where()).toBe(to));
    expect(calls.map(({ body }) => body)).toEqual([{ invoice_code: CODE, token: "EC-1" }]);
    expect(basketIsEmpty()).toBe(false);
  });

  it.each([
    { deposit: true, status: 409, body: { code: "payment_refused", message: WRONG }, to: CHECKOUT },
    { deposit: false, status: 404, body: { code: "not_found", message: "No." }, to: "/invoice/0" },
    { deposit: false, status: 502, to: "/invoice/0" },
  ])("says what was refused, and leaves: $status", async ({ deposit, to, ...refusal }) => {
    const call = deposit ? "/order/checkout-deposit/paypal/failure" : "/order/paypal/failure";
    refuse("post", call, refusal);
    const { user, where } = fail(deposit);
    await waitFor(() => expect(where()).toBe(to));
    await answerAlert(user, WRONG);
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });

  it.each([
    [200, true],
    [404, false],
  ])("says that nothing was charged only of an order that it knows: %s", async (status, said) => {
    const call = "/order/paypal/failure";
    if (said) answer("post", call, { success: 1 });
    else refuse("post", call, { status, body: { code: "not_found", message: "No." } });
    const back = { invoiceCode: CODE, isDeposit: false, query: new URLSearchParams("token=EC-1") };
    const { where } = renderScreen(
      <Routes>
        <Route path="/checkout/*" element={<PaymentFailureScreen back={back} />} />
        <Route path="*" element={<DeclinedLine />} />
      </Routes>,
      { at: `/checkout/failure/${CODE}/0?token=EC-1` },
    );
    await waitFor(() => expect(where()).toBe("/invoice/0"));
    expect(screen.queryByText(/nothing was charged/) !== null).toBe(said);
  });

  it("leaves without a call where the address has no token", async () => {
    const { where } = fail(false, "");
    await waitFor(() => expect(where()).toBe("/invoice/0"));
  });
});
