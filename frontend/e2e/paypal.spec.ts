import { emptyBasket, requestOrder, selectProduct, signInAt } from "./demo";
import { checkAccessible, checkEverywhere, openPage } from "./pages";
import { inPortal, sweep } from "./portal";
import { expect, type Page, test } from "./test";

test.beforeEach(({ request }) => emptyBasket(request));

const WAIT = "The payment is in progress. Please wait a moment.";

async function signIn(page: Page, path = "/order") {
  await signInAt(page, path);
  await expect(page.getByRole("navigation").first()).toBeVisible();
}

/** Requests an order of one product and returns its code, at the deposit checkout. */
async function requestOne(page: Page): Promise<string> {
  await signIn(page);
  await selectProduct(page);
  return requestOrder(page);
}

/** Chooses PAYPAL, agrees to the surcharge and leaves for PayPal. */
async function leaveForPaypal(page: Page) {
  await page.getByRole("radio", { name: /^PAYPAL/ }).click();
  await expect(page.getByRole("alertdialog")).toContainText("A surcharge applies");
  await page.getByRole("alertdialog").getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
  await leaveAgain(page);
}

/** Leaves for PayPal from a form in which that is chosen. */
async function leaveAgain(page: Page) {
  await page.getByRole("button", { name: "Checkout", exact: true }).last().click();
  await expect(page.getByText("PayPal simulator.")).toBeVisible();
}

const order = (page: Page) => page.getByRole("region", { name: /^MHW-/ }).locator("header");

/** Sales confirm every piece and add a shipping fee: that much is due. */
function confirmWithFee(code: string, shippingFee: string) {
  inPortal(
    `
from decimal import Decimal
from django.utils import timezone
from apps.accounts.models import User
from apps.orders.models import Order
from apps.orders.services.confirm import LineDecision, confirm_order
from apps.orders.services.moves import start_preparing

sales = User.objects.get(email="sales@demo.test")
order = Order.objects.get(invoice_code=data["code"])
start_preparing(order_id=order.pk, actor=sales, now=timezone.now())
order.refresh_from_db()
confirm_order(
    order_id=order.pk,
    version=order.version,
    decisions=[LineDecision(line_id=line.pk, confirmed=line.quantity) for line in order.lines.all()],
    shipping_fee=Decimal(data["fee"]),
    actor=sales,
    now=timezone.now(),
)
`,
    { code, fee: shippingFee },
  );
}

test("deposit and balance by PayPal, from the screen to PayPal to the order", async ({
  browser,
}) => {
  const problems: string[] = [];
  const page = await openPage(browser, problems);
  const code = await requestOne(page);
  await leaveForPaypal(page);
  await page.getByRole("button", { name: "Pay Now" }).click();
  await expect(page).toHaveURL(`/invoice/1?invoice_code=${code}`);
  await expect(order(page)).toContainText("Received");
  await page.goto("/order");
  await expect(page.getByText("Your basket is empty")).toBeVisible();

  confirmWithFee(code, "100.00");
  await page.goto(`/invoice/3?invoice_code=${code}`);
  await page.getByRole("button", { name: "Checkout", exact: true }).click();
  const popup = page.getByRole("dialog", { name: "Checkout" });
  await expect(popup).toContainText("$100.00");
  await leaveForPaypal(page);
  await expect(page.getByText("103.50 USD")).toBeVisible();
  await page.getByRole("button", { name: "Pay Now" }).click();
  await expect(page).toHaveURL(`/invoice/4?invoice_code=${code}`);
  await expect(order(page)).toContainText("Completed Payment");
  await expect(page.getByText("Payment under review")).toHaveCount(0);
  const due = page.getByRole("region", { name: "Totals" }).getByText("Balance due");
  await expect(due.locator("..")).toContainText("$0.00");
  expect(problems).toEqual([]);
});

test("cancelled at PayPal, left by Back, and a tab closed after Pay: the order appears all the same", async ({
  browser,
}) => {
  const problems: string[] = [];
  const page = await openPage(browser, problems);
  const code = await requestOne(page);
  await leaveForPaypal(page);
  await page.getByRole("button", { name: "Cancel and return" }).click();
  await expect(page).toHaveURL(`/order/checkout-deposit/${code}`);
  await expect(page.getByRole("radio", { name: /^PAYPAL/ })).toBeChecked();
  await expect(page.getByText(/^Restored/)).toBeVisible();
  await expect(page.getByRole("alertdialog")).toHaveCount(0);

  await leaveAgain(page);
  await page.goBack();
  await expect(page.getByRole("button", { name: "Checkout", exact: true })).toBeEnabled();
  await leaveAgain(page);
  // Pay Now, without the way back.
  const form = { act: "pay", buyer: "normal" };
  const paid = await page.request.post(page.url(), { form, maxRedirects: 0 });
  expect(paid.status()).toBe(303);
  await page.close();

  // What the portal would look at in two minutes, it looks at now.
  inPortal(
    `
from django.utils import timezone
from apps.payments.models import Payment

now = timezone.now()
assert Payment.objects.filter(invoice_code=data, next_check_at__isnull=False).update(next_check_at=now)
`,
    code,
  );
  const later = await openPage(browser, problems);
  await signIn(later, "/invoice/1");
  await expect(async () => {
    sweep("payments");
    await later.reload();
    await expect(later.getByRole("link", { name: code }).first()).toBeVisible({ timeout: 2_000 });
  }).toPass({ timeout: 60_000 });
  await later.goto(`/invoice/1?invoice_code=${code}`);
  await expect(order(later)).toContainText("Received");
  expect(problems).toEqual([]);
});

test("paying is accessible", async ({ browser }) => {
  const page = await openPage(browser, []);
  await signIn(page, "/account/wallet");
  await expect(page.getByText(/^Balance \$/)).toBeVisible();
  await page.route("**/api/order/paypal/success", (route) =>
    route.fulfill({ json: { success: 0 } }),
  );
  await page.clock.install();
  await page.goto("/checkout/success/WAITS/0?amount=1.04&token=EC-1&PayerID=PAYER12345678");
  await expect(page.getByRole("heading", { name: WAIT })).toBeVisible();
  await page.clock.fastForward(21_000);
  await expect(page.getByRole("link", { name: "Go to the order page" })).toBeVisible();
  await checkEverywhere(page);

  await openDuePopup(page);
  await page.getByRole("radio", { name: "PAYPAL" }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await checkAccessible(page);
  await page.getByRole("alertdialog").getByRole("button", { name: "Confirm" }).click();
  await expect(page.getByText(/^PayPal fee/)).toBeVisible();
  await checkEverywhere(page);
});

/** The popup of a demo order that is confirmed and has a balance due, for a company with credit. */
async function openDuePopup(page: Page) {
  await page.route("**/api/wallet", (route) =>
    route.fulfill({
      json: {
        success: 1,
        balance: 12.5,
        entries: [
          { at: "2026-11-18T09:30:00+09:00", kind: "overpayment", amount: 12.5, invoice_code: "A" },
        ],
      },
    }),
  );
  await page.goto("/invoice/3");
  await page.locator("[data-code]").filter({ hasText: "Balance due" }).first().click();
  await page.getByRole("button", { name: "Checkout", exact: true }).click();
  await expect(page.getByRole("button", { name: /from wallet$/ })).toBeVisible();
  await expect(page.getByText("Account number")).toBeVisible();
}
