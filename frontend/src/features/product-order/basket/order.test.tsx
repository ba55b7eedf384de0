import { onlineManager } from "@tanstack/react-query";
import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { drafts, LEFT_CHECKOUT } from "@/shared/drafts";
import { toast, toasts } from "@/shared/ui/toasts";
import { user as buildUser } from "@/test/builders";
import { answerAlert } from "@/test/render";
import { answer, type Refusal, refuse } from "@/test/server";
import { basketOf, openShop, pressOrder, product, storedBasket } from "../testing";

const OUT_OF_STOCK = "Some products are out of stock. Please check and try again";
const WRONG = "Something went wrong. Please contact the administrator.";
const QUESTION = "Would you like to request an order?";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

const catalogue = [product("A"), product("SHORT", { qty: 5 }), product("NONE", { qty: 0 })];

it.each<{ name: string; basket: Record<string, number>; text: string }>([
  { name: "nothing chosen", basket: {}, text: "There are no selected products. Select products." },
  { name: "stock below the count", basket: { A: 5, SHORT: 10 }, text: OUT_OF_STOCK },
  { name: "no stock", basket: { A: 15, NONE: 10 }, text: OUT_OF_STOCK },
  { name: "below the MOQ", basket: { A: 5 }, text: "Check the minimum quantity to purchase.(MOQ)" },
  {
    name: "not a multiple",
    basket: { A: 15 },
    text: "Purchases are only available in multiples of the MOQ (Minimum Order Quantity)",
  },
])("refuses to order: $name", async ({ basket, text }) => {
  const { user } = openShop({ catalogue, basket });
  await pressOrder(user);
  await answerAlert(user, text);
  expect(screen.queryByRole("dialog")).toBeNull();
});

it("asks, shows the figures, and goes to the deposit checkout", async () => {
  const { user, where } = openShop({ catalogue, basket: { A: 20 } });
  let finish = () => undefined as unknown;
  const requests = answer(
    "post",
    "/temp-order",
    () =>
      new Promise((resolve) => {
        finish = () => resolve({ success: 1, invoice_code: "MHW-261120-0431" });
      }),
  );
  toast("1 product put into the basket.", vi.fn());
  await pressOrder(user);
  const dialog = within(await screen.findByRole("dialog", { name: QUESTION }));
  expect(toasts.current()).toBeUndefined();
  expect(dialog.getByText("Products").nextElementSibling).toHaveTextContent("1");
  expect(dialog.getByText("Units").nextElementSibling).toHaveTextContent("20");
  expect(dialog.getByText("Subtotal").nextElementSibling).toHaveTextContent("$250.00");
  const confirm = dialog.getByRole("button", { name: "Confirm" });
  await waitFor(() => expect(confirm).toHaveFocus());

  await user.click(confirm);
  await waitFor(() => expect(confirm).toBeDisabled());
  expect(confirm).toHaveAttribute("aria-busy", "true");
  await user.click(confirm);
  await waitFor(() => expect(requests).toHaveLength(1));
  finish();
  await waitFor(() => expect(where()).toBe("/order/checkout-deposit/MHW-261120-0431"));

  const { uuid, ship_city, ship_country } = buildUser();
  expect(requests[0]?.url.search).toBe("?shop=first");
  expect(requests[0]?.body).toMatchObject({
    uuid,
    ship_city,
    ship_country,
    export_report: 0,
    count: 1,
    total: 250,
    product: [{ sku: "A", count: 20, seen_price: 12.5 }],
  });
  expect(storedBasket()).toEqual(basketOf({ A: 20 }));
});

it("takes over what was filled in at a checkout that was left because of the stock", async () => {
  const { uuid } = buildUser();
  const form = { poNumber: "PO-7" };
  await drafts.keep(uuid, LEFT_CHECKOUT, form);
  await drafts.keep("somebody else", LEFT_CHECKOUT, { poNumber: "PO-8" });
  answer("post", "/temp-order", { success: 1, invoice_code: "MHW-2" });
  const { user, where } = openShop({ catalogue, basket: { A: 20 } });
  await pressOrder(user);
  await user.click(await screen.findByRole("button", { name: "Confirm" }));
  await waitFor(() => expect(where()).toBe("/order/checkout-deposit/MHW-2"));
  expect(await drafts.read(uuid, "checkout:MHW-2")).toMatchObject({ value: form });
  expect(await drafts.read(uuid, LEFT_CHECKOUT)).toBeNull();
});

it("lets a buyer who is stock_free order what is not there", async () => {
  const { user } = openShop({ catalogue, basket: { NONE: 10 }, stockFree: 1 });
  await pressOrder(user);
  expect(await screen.findByRole("dialog", { name: QUESTION })).toBeVisible();
});

it.each(["Cancel", "Close"])("forgets the question on %s", async (button) => {
  const { user } = openShop({ catalogue, basket: { A: 10 } });
  await pressOrder(user);
  const dialog = await screen.findByRole("dialog");
  await user.click(within(dialog).getByRole("button", { name: button }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
});

interface Refused extends Refusal {
  name: string;
  text: string;
}

it.each<Refused>([
  {
    name: "the stock was taken meanwhile",
    status: 409,
    body: { code: "out_of_stock", message: OUT_OF_STOCK, errors: { A: ["3"] } },
    text: OUT_OF_STOCK,
  },
  {
    name: "the MOQ was raised meanwhile",
    status: 400,
    body: { message: "Check the minimum quantity to purchase.(MOQ)" },
    text: "Check the minimum quantity to purchase.(MOQ)",
  },
  { name: "a field is refused", status: 400, body: { message: "Not so." }, text: WRONG },
  { name: "no portal answers", status: 502, text: WRONG },
])(
  "says why the request was refused, and asks for the stock again: $name",
  async ({ text, ...refusal }) => {
    const { user, where, checks } = openShop({ catalogue, basket: { A: 10 } });
    refuse("post", "/temp-order", refusal);
    await pressOrder(user);
    await user.click(await screen.findByRole("button", { name: "Confirm" }));
    await answerAlert(user, text);
    expect(where()).toBe("/order");
    if (refusal.status === 502) return;
    await waitFor(() => expect(checks).toHaveLength(2));
    await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  },
);

it("asks again, old to new, where a price has changed since it was shown", async () => {
  const { user, where } = openShop({
    catalogue: [product("A"), product("B", { usd_supply: 2 })],
    basket: { A: 20, B: 10 },
  });
  const code = "price_changed";
  const message = "Some prices have changed. Check the new prices and confirm again.";
  const errors = { A: ["12.50", "13.00"] };
  refuse("post", "/temp-order", { status: 409, body: { code, message, errors } });
  await pressOrder(user);
  await user.click(await screen.findByRole("button", { name: "Confirm" }));
  const dialog = within(screen.getByRole("dialog", { name: QUESTION }));
  expect(await dialog.findByText(message)).toBeVisible();
  const shown = dialog.getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(shown).toEqual(["Name of A20 × $12.50  $13.00"]);
  expect(dialog.getByText("Subtotal").nextElementSibling).toHaveTextContent("$270.00 $280.00");
  expect(where()).toBe("/order");

  const accepted = answer("post", "/temp-order", { success: 1, invoice_code: "MHW-261120-0431" });
  await user.click(dialog.getByRole("button", { name: "Confirm" }));
  await waitFor(() => expect(where()).toBe("/order/checkout-deposit/MHW-261120-0431"));
  expect(accepted[0]?.body).toMatchObject({
    total: 280,
    product: [
      { sku: "A", count: 20, seen_price: 13 },
      { sku: "B", count: 10, seen_price: 2 },
    ],
  });
});

it("repeats a lost request under the same key, and a changed one under another", async () => {
  const { user } = openShop({ catalogue, basket: { A: 10 } });
  const lost = refuse("post", "/temp-order", { status: 502 });
  await pressOrder(user);
  const confirm = await screen.findByRole("button", { name: "Confirm" });
  await user.click(confirm);
  await answerAlert(user, WRONG);
  await user.click(confirm);
  await answerAlert(user, WRONG);
  await user.click(screen.getByRole("button", { name: "Cancel" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await user.type(screen.getByLabelText("Quantity, Name of A"), "20{Enter}");
  await pressOrder(user);
  await user.click(await screen.findByRole("button", { name: "Confirm" }));
  await answerAlert(user, WRONG);
  const keys = lost.map(({ headers }) => headers.get("Idempotency-Key"));
  expect(keys[0]).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(keys[1]).toBe(keys[0]);
  expect(keys[2]).not.toBe(keys[0]);
});

it("says what Confirm will do after a request without an answer, and why not without a connection", async () => {
  const { user } = openShop({ catalogue, basket: { A: 10 } });
  refuse("post", "/temp-order", { status: 502 });
  await pressOrder(user);
  const confirm = await screen.findByRole("button", { name: "Confirm" });
  await user.click(confirm);
  await answerAlert(user, WRONG);
  const dialog = within(screen.getByRole("dialog"));
  expect(
    dialog.getByText("No response yet. Confirm again: the order is placed only once."),
  ).toBeVisible();
  act(() => onlineManager.setOnline(false));
  expect(dialog.getByText("Ordering needs a connection.")).toBeVisible();
  expect(confirm).toBeDisabled();
  expect(dialog.getByRole("button", { name: "Cancel" })).toBeEnabled();
  act(() => onlineManager.setOnline(true));
  expect(confirm).toBeEnabled();
});

it("says what is missing to the minimum order, and takes no order below it", async () => {
  openShop({ catalogue, basket: { A: 20 }, minimumOrder: 500 });
  const basket = within(await screen.findByRole("region", { name: /Order basket/ }));
  expect(
    await basket.findByText(/^\$[\d.]+ more to reach our minimum order of \$500\.00\.$/),
  ).toBeVisible();
  expect(basket.getByRole("button", { name: "Order" })).toBeDisabled();
});
