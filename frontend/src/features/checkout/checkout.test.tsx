import { onlineManager } from "@tanstack/react-query";
import { act, screen, waitFor } from "@testing-library/react";
import { beforeEach, expect, it, vi } from "vitest";
import { basket } from "@/domain/basket";
import { drafts, LEFT_CHECKOUT } from "@/shared/drafts";
import { user as buildUser, configuration } from "@/test/builders";
import { answerAlert } from "@/test/render";
import { answer, hang, type Refusal, refuse } from "@/test/server";
import { CODE, checkoutButton, openCheckout, quote, storedBasket } from "./testing";

type Accounts = NonNullable<ReturnType<typeof configuration>["banks"]>;

const WRONG = "Something went wrong. Please contact the administrator.";
const EXISTS = "This order already exists. Go to the order page.";
const SURCHARGE =
  "A surcharge applies to PayPal payments: 3.5 % for US customers and 5 % for South America. Please contact your sales representative. Do you want to continue?";
const CANCEL = "The product list created will be deleted. Do you want to cancel the order?";

beforeEach(() => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
});

type Actor = ReturnType<typeof openCheckout>["user"];

const choose = async (user: Actor, name: string | RegExp) =>
  user.click(await screen.findByRole("radio", { name }));
const submit = async (user: Actor) => user.click(await checkoutButton());
const nameDepositor = async (user: Actor, name = " Ines Brandt ") => {
  const field = await screen.findByLabelText(/^Account Name\*?$/);
  await user.clear(field);
  if (name) await user.type(field, name);
};
const editAddress = async (user: Actor) =>
  user.click(await screen.findByRole("button", { name: "Change address" }));

it("pays by wire: sends the form, empties the basket, goes to the received orders", async () => {
  const { user, where, checks } = openCheckout();
  const wires = answer("post", "/order/checkout-deposit/tt", { success: 1, invoice_code: CODE });
  await nameDepositor(user);
  expect(screen.getByLabelText(/^Account Name/)).toHaveAccessibleDescription(
    "The depositor: the name on the account that you pay from.",
  );
  await user.type(screen.getByLabelText("Request for Shipping"), "Together, please.");
  await user.type(screen.getByLabelText("PO number"), "PO-7");
  await editAddress(user);
  await user.clear(screen.getByLabelText(/^City\*?$/));
  await user.type(screen.getByLabelText(/^City\*?$/), "Kraków");
  await submit(user);
  await waitFor(() => expect(where()).toBe(`/invoice/1?invoice_code=${CODE}`));

  expect(checks.map(({ body }) => body)).toEqual([{ invoice_code: CODE }]);
  const { uuid, email, ship_country, ship_state, ship_zipcode, ...buyer } = buildUser();
  expect(wires[0]?.body).toEqual({
    uuid,
    email,
    invoice_code: CODE,
    type: "ORDER",
    payment_type: "T/T",
    export_report: 1,
    ship_country,
    ship_state,
    ship_city: "Kraków",
    ship_zipcode,
    ship_address1: buyer.ship_address1,
    ship_address2: buyer.ship_address2,
    ship_phone: buyer.ship_phone,
    ship_memo: "Together, please.",
    po_number: "PO-7",
    payer_id: "Ines Brandt",
    amount: 918,
  });
  expect(wires[0]?.url.search).toBe("?send=0");
  expect(wires[0]?.headers.get("Idempotency-Key")).toMatch(/^[0-9a-f-]{36}$/);
  expect(storedBasket()).toEqual([]);
});

it("takes an address of the company's book", async () => {
  const { user } = openCheckout();
  await editAddress(user);
  await user.selectOptions(await screen.findByLabelText("Address book"), "Store Kielce");
  expect(screen.getByLabelText(/^City\*?$/)).toHaveValue("Kielce");
});

it("needs the depositor's name for a wire, and begins with the company's", async () => {
  const { user } = openCheckout();
  expect(await screen.findByLabelText(/^Account Name/)).toHaveValue("Brightwater Trading Co.");
  await nameDepositor(user, "");
  await submit(user);
  await answerAlert(user, "Depositor's name is required.");
});

it("shows under the choice that a wire needs the declaration, and refuses the checkout", async () => {
  const { user } = openCheckout();
  await nameDepositor(user);
  await choose(user, "NO");
  expect(
    screen.getByText("Agreement to export declaration is required for Bank Wire payment."),
  ).toBeVisible();
  expect(screen.queryByRole("alertdialog")).toBeNull();
  await submit(user);
  await answerAlert(user, "Please check the export declaration.");
  await user.click(screen.getByRole("checkbox", { name: /^I am responsible/ }));
  await submit(user);
  await answerAlert(user, "Agreement to export declaration is required for T/T payment.");

  await choose(user, "YES");
  expect(screen.queryByText(/Bank Wire payment/)).toBeNull();
  expect(screen.queryByRole("checkbox")).toBeNull();
});

it("alerts on choosing Bank Wire while NO is set, and keeps the choice", async () => {
  const { user } = openCheckout();
  await choose(user, /^PAYPAL/);
  await answerAlert(user, SURCHARGE, "Confirm");
  await choose(user, "NO");
  await choose(user, /^Bank Wire/);
  await answerAlert(user, "Agreement to export declaration is required for Bank Wire payment.");
  expect(screen.getByRole("radio", { name: /^Bank Wire/ })).toBeChecked();
});

it("says which parts of the address are missing, and goes to the first", async () => {
  const { user } = openCheckout({ result: quote({ ship_city: "", ship_phone: "" }) });
  await nameDepositor(user);
  await submit(user);
  const city = screen.getByLabelText(/^City\*?$/);
  expect(city).toHaveFocus();
  expect(city).toBeInvalid();
  expect(screen.getAllByText("This field is required.")).toHaveLength(2);
  await user.type(city, "Warszawa");
  expect(screen.getAllByText("This field is required.")).toHaveLength(1);
});

it("loads the states of another country; where there are none the field is disabled", async () => {
  const { user } = openCheckout();
  const asked = answer("post", "/register/find-state", ({ body }) => ({
    success: 1,
    stateList:
      (body as { address_id: number }).address_id === 3
        ? [{ address_id: 31, content: "Tokyo" }]
        : [],
  }));
  await editAddress(user);
  await user.selectOptions(await screen.findByLabelText(/^Country\*?$/), "Japan");
  const state = screen.getByLabelText("State");
  expect(state).toHaveValue("");
  await waitFor(() => expect(state).toBeEnabled());
  await user.selectOptions(state, "Tokyo");
  await user.selectOptions(screen.getByLabelText(/^Country\*?$/), "Singapore");
  expect(state).toHaveValue("");
  await waitFor(() => expect(asked).toHaveLength(2));
  expect(state).toBeDisabled();
  await user.selectOptions(screen.getByLabelText(/^Country\*?$/), "Poland");
  expect(state).toBeEnabled();
  expect(asked).toHaveLength(2);
});

it("goes to the order page if another tab has checked the list out", async () => {
  const { user, where } = openCheckout();
  answer("post", "/order/check", { success: 1 });
  await nameDepositor(user);
  await submit(user);
  await answerAlert(user, EXISTS);
  await waitFor(() => expect(where()).toBe("/invoice/0"));
  expect(storedBasket()).toEqual([]);
});

interface Refused extends Refusal {
  text: string;
}

it.each<Refused>([
  {
    status: 400,
    body: { message: "Depositor's name is required." },
    text: "Depositor's name is required.",
  },
  {
    status: 400,
    body: { message: "Not so.", errors: { amount: ["Not the quote."] } },
    text: WRONG,
  },
  { status: 502, text: WRONG },
])("says why a wire was refused: $status $body.code", async ({ text, ...refusal }) => {
  const { user, where } = openCheckout();
  refuse("post", "/order/checkout-deposit/tt", refusal);
  await nameDepositor(user);
  await submit(user);
  await answerAlert(user, text);
  expect(screen.queryByRole("alertdialog")).toBeNull();
  expect(where()).toBe(`/order/checkout-deposit/${CODE}`);
  expect(storedBasket()).toHaveLength(1);
});

it("leads back to the basket where the stock went meanwhile", async () => {
  const { user, where } = openCheckout();
  const message = "Some products are out of stock. Please check and try again";
  const body = { code: "out_of_stock", message };
  refuse("post", "/order/checkout-deposit/tt", { status: 409, body });
  await nameDepositor(user);
  await user.type(screen.getByLabelText("PO number"), "PO-7");
  await submit(user);
  await answerAlert(user, message);
  await waitFor(() => expect(where()).toBe("/order"));
  // What was filled in waits for the next request of this buyer.
  const { uuid } = buildUser();
  await waitFor(async () =>
    expect(await drafts.read(uuid, LEFT_CHECKOUT)).toMatchObject({ value: { poNumber: "PO-7" } }),
  );
  expect(await drafts.read(uuid, `checkout:${CODE}`)).toBeNull();
  expect(storedBasket()).toEqual([{ sku: "AUR-BC050", count: 60 }]);
  expect(screen.queryByRole("button", { name: "Undo" })).toBeNull();
});

it.each([
  ["ship_zipcode", /^Zipcode\*?$/],
  ["po_number", /^PO number$/],
  ["payer_id", /^Account Name\*?$/],
])("shows the server's word on %s beside it", async (field, label) => {
  const { user } = openCheckout();
  refuse("post", "/order/checkout-deposit/tt", {
    status: 400,
    body: { code: "invalid", message: WRONG, errors: { [field]: ["Too long."] } },
  });
  await nameDepositor(user);
  await submit(user);
  expect(await screen.findByText("Too long.")).toBeVisible();
  expect(screen.getByLabelText(label)).toHaveFocus();
  await user.keyboard("x");
  expect(screen.queryByText("Too long.")).toBeNull();
});

const NOT_NOW = "This does not work right now. Please try again in a moment.";
it.each<Refusal & { said: string }>([
  { status: 502, said: WRONG },
  { status: 503, body: { code: "unavailable", message: NOT_NOW }, said: NOT_NOW },
])(
  "repeats after a lost answer ($status) under the same key, without asking whether the order exists",
  async ({ said, ...refusal }) => {
    const { user, where, checks } = openCheckout();
    const lost = refuse("post", "/order/checkout-deposit/tt", refusal);
    await nameDepositor(user);
    await submit(user);
    await answerAlert(user, said);
    const made = answer("post", "/order/checkout-deposit/tt", { success: 1, invoice_code: CODE });
    await submit(user);
    await waitFor(() => expect(where()).toBe(`/invoice/1?invoice_code=${CODE}`));
    const key = lost[0]?.headers.get("Idempotency-Key");
    expect(made[0]?.headers.get("Idempotency-Key")).toBe(key);
    expect(checks).toHaveLength(1);
  },
);

it("says without a connection why Checkout waits, beside each button that waits", async () => {
  openCheckout();
  expect(await checkoutButton()).toBeEnabled();
  expect(screen.queryByText(/needs a connection/)).toBeNull();
  act(() => onlineManager.setOnline(false));
  expect(await checkoutButton()).toBeDisabled();
  expect(screen.getByText("Checkout needs a connection.")).toBeVisible();
  expect(screen.getByText("Ordering needs a connection. The form is kept.")).toBeVisible();
});

it("sends one checkout however often the button is pressed", async () => {
  const { user } = openCheckout();
  const wires = hang("post", "/order/checkout-deposit/tt");
  await nameDepositor(user);
  await submit(user);
  const button = await checkoutButton();
  await waitFor(() => expect(button).toBeDisabled());
  await user.click(button);
  await waitFor(() => expect(wires).toHaveLength(1));
});

it("cancels after the warning: the list and the basket go, and Undo brings the basket back", async () => {
  const { user, where } = openCheckout();
  const deleted = answer("delete", "/temp-order/{invoice_code}", { success: 1 });
  const cancel = await screen.findByRole("button", { name: "cancel" });
  await user.click(cancel);
  await answerAlert(user, CANCEL, "Cancel");
  expect(deleted).toHaveLength(0);
  await user.click(cancel);
  await answerAlert(user, CANCEL, "Confirm");
  await waitFor(() => expect(where()).toBe("/order"));
  expect(deleted[0]?.params.invoice_code).toBe(CODE);
  expect(storedBasket()).toEqual([]);
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(storedBasket()).toEqual([{ sku: "AUR-BC050", count: 60 }]);
  expect(basket.chosenPrices()).toEqual({ "AUR-BC050": 15.3 });
});

it.each([
  { status: 409, body: { code: "order_exists", message: EXISTS }, text: EXISTS, to: "/invoice/0" },
  { status: 502, body: undefined, text: WRONG, to: `/order/checkout-deposit/${CODE}` },
])("says why it could not cancel: $status", async ({ status, body, text, to }) => {
  const { user, where } = openCheckout();
  refuse("delete", "/temp-order/{invoice_code}", { status, ...(body && { body }) });
  await user.click(await screen.findByRole("button", { name: "cancel" }));
  await answerAlert(user, CANCEL, "Confirm");
  await answerAlert(user, text);
  await waitFor(() => expect(where()).toBe(to));
});

it("leaves for the order page when the list to cancel is gone already", async () => {
  const { user, where } = openCheckout();
  const body = { code: "not_found", message: "Not found." };
  refuse("delete", "/temp-order/{invoice_code}", { status: 404, body });
  await user.click(await screen.findByRole("button", { name: "cancel" }));
  await answerAlert(user, CANCEL, "Confirm");
  await waitFor(() => expect(where()).toBe("/order"));
  expect(storedBasket()).toEqual([]);
});

it("asks for no payment where no deposit is due", async () => {
  const { paypal_fee, paypal_total, ...temp_order } = quote({ deposit: 0 }).temp_order;
  const opened = openCheckout({ result: { ...quote(), temp_order } });
  const placed = answer("post", "/order/checkout-deposit/tt", { success: 1, invoice_code: CODE });
  expect(
    await screen.findByText("No deposit is due. You pay once your order is confirmed."),
  ).toBeInTheDocument();
  expect(screen.queryByLabelText(/^Account Name/)).toBeNull();
  await opened.user.click(await checkoutButton());
  await waitFor(() => expect(placed[0]?.body).toMatchObject({ amount: 0 }));
});

it("shows every account, each with its name where there are several", async () => {
  openCheckout();
  const [first] = configuration().banks ?? [];
  const euro = { ...first, label: "Europe", currency: "EUR", account_number: "DE89" };
  answer("get", "/config", configuration({ banks: [first, euro] as Accounts }));
  expect(await screen.findByText("Europe (EUR)")).toBeInTheDocument();
  expect(screen.getByText("(USD)")).toBeInTheDocument();
});

it("says whom to ask where there is no account", async () => {
  openCheckout();
  answer("get", "/config", configuration({ banks: [] }));
  expect(await screen.findByText(/for our bank details/)).toBeInTheDocument();
});
