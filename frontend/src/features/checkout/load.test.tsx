import { screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { answerAlert } from "@/test/render";
import { refuse } from "@/test/server";
import { openCheckout, quote, render, storedBasket } from "./testing";

const WRONG = "Something went wrong. Please contact the administrator.";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

it("shows the list, its price and weight, and the address of the temporary order", async () => {
  openCheckout();
  expect(await screen.findByText("AUR-BC050 · 60 × $15.30")).toBeVisible();
  expect(screen.getByText("Subtotal", { selector: "dt" }).nextSibling).toHaveTextContent("$918.00");
  expect(screen.getByText("Product weight").nextSibling).toHaveTextContent("7.2 kg");
  expect(screen.getByText("Shipping fee").nextSibling).toHaveTextContent("Set at confirmation");
  const until = screen.getByText("Prices held until");
  expect(until.nextSibling).toHaveTextContent("Fri 27 Nov, 18:00 Seoul");
  for (const now of screen.getAllByText("Deposit now")) {
    expect(now.nextSibling).toHaveTextContent("$918.00");
  }
  const address = screen.getByText(/^ul\. Lipowa 51/);
  for (const part of ["Warszawa", "Mazowieckie", "Poland", "+48 22 555 01 74"]) {
    expect(address).toHaveTextContent(part);
  }
  expect(screen.getByRole("radio", { name: "YES" })).toBeChecked();
  expect(screen.getByRole("radio", { name: /^Bank Wire/ })).toBeChecked();
  expect(await screen.findByText("0841 00229")).toBeVisible();
  expect(screen.queryByText(/PayPal fee/)).toBeNull();
});

it.each([
  { expect_qty: 0, shown: "Sold out" },
  { expect_qty: 59, shown: "Only 59 in stock" },
])(
  "goes back to the basket, which has the list, if the stock is short: $expect_qty of 60",
  async ({ shown, ...line }) => {
    const { user, where } = openCheckout({ result: quote({}, line) });
    expect(await screen.findByText(shown)).toBeVisible();
    localStorage.removeItem("basket");
    await answerAlert(
      user,
      "Some products are out of stock. Please fill out the order form again.",
    );
    await waitFor(() => expect(where()).toBe("/order"));
    expect(storedBasket()).toEqual([{ sku: "AUR-BC050", count: 60 }]);
    await user.click(await screen.findByRole("button", { name: "Undo" }));
    expect(storedBasket()).toEqual([]);
  },
);

it("draws some of 500 products, the sold out ones first, and finds them", async () => {
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(500);
  vi.spyOn(HTMLElement.prototype, "offsetHeight", "get").mockReturnValue(67);
  const [line] = quote().temp_order_details;
  const lines = Array.from({ length: 500 }, (_, index) => ({
    ...line,
    sku: `P${index}`,
    eng_name: `Name of P${index}`,
  }));
  const result = { ...quote(), temp_order_details: lines } as ReturnType<typeof quote>;
  const { user, container } = openCheckout({ result });
  expect(await screen.findByText("Name of P0")).toBeVisible();
  const search = await screen.findByLabelText("Search products");
  expect(container.querySelectorAll("*").length).toBeLessThan(1500);
  await user.type(search, "p499{Enter}");
  const found = (await screen.findByText("Name of P499")).closest("li");
  expect(found).toHaveAttribute("aria-setsize", "1");
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

it("does not mind the stock of a buyer who is stock_free", async () => {
  openCheckout({ result: quote({}, { expect_qty: 0 }), stockFree: 1 });
  expect(await screen.findByText("AUR-BC050 · 60 × $15.30")).toBeVisible();
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

it.each([
  {
    code: "order_exists",
    text: "This order already exists. Go to the order page.",
    to: "/invoice/0",
  },
  { code: "expired", text: WRONG, to: "/order" },
  { code: "not_found", text: WRONG, to: "/order", status: 404 },
])("turns away from a list that is $code", async ({ code, text, to, status = 409 }) => {
  const body = { code, message: text };
  refuse("get", "/temp-order-info/stock/{invoice_code}", { status, body });
  const { user, where } = render();
  await screen.findByRole("alertdialog");
  expect(screen.queryByText("Try again")).toBeNull();
  await answerAlert(user, text);
  await waitFor(() => expect(where()).toBe(to));
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

it("alerts and offers to try again when the list does not load", async () => {
  refuse("get", "/temp-order-info/stock/{invoice_code}", { status: 502 });
  const { user } = render();
  await answerAlert(user, WRONG);
  expect(await screen.findByRole("button", { name: "Try again" })).toBeVisible();
});
