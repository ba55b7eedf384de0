import { requestOrder, selectProduct, signInAt } from "./demo";
import { checkEverywhere } from "./pages";
import { inPortal } from "./portal";
import { type APIRequestContext, expect, type Page, test } from "./test";

/** Switches PayPal for the whole portal; each of its processes sees it within a second. */
async function switchPaypal(request: APIRequestContext, on: boolean) {
  inPortal(
    `
from django.db import transaction
from apps.common.models import Policy, Seller
from apps.common.seller import touch_seller

with transaction.atomic():
    touch_seller()
    Seller.objects.update(paypal_on=data["on"])
    Policy.objects.all().delete()  # what another journey published may name it
`,
    { on },
  );
  const says = async () => "paypal_fee_rate" in (await (await request.get("/api/config")).json());
  await expect
    .poll(async () => [...new Set(await Promise.all([1, 2, 3, 4].map(says)))])
    .toEqual([on]);
}

test.afterAll(({ request }) => switchPaypal(request, true));

/** All that a page says, and says to assistive technology. */
async function expectNoPaypal(page: Page) {
  const said = await page.evaluate(() => {
    const named = ["aria-label", "title", "placeholder", "alt", "value"];
    const texts = [...document.querySelectorAll("*")].flatMap((element) =>
      named.map((name) => element.getAttribute(name) ?? ""),
    );
    return `${document.title} ${document.body.textContent} ${texts.join(" ")}`;
  });
  expect(said).not.toMatch(/paypal/i);
}

test("without PayPal an order is paid by wire, and no page names it", async ({ page, request }) => {
  await switchPaypal(request, false);
  await signInAt(page, "/order", "free");
  await selectProduct(page);
  await requestOrder(page);
  await expect(page.getByRole("radio", { name: /^Bank Wire/ })).toBeChecked();
  await expect(page.getByLabel(/^Account Name/)).toBeVisible();
  await expectNoPaypal(page);
  await checkEverywhere(page);
  await page.getByRole("button", { name: "Checkout", exact: true }).last().click();
  await expect(page).toHaveURL(/\/invoice\/1\?invoice_code=.+/);
  await expect(page.getByText("Received").first()).toBeVisible();
  await expectNoPaypal(page);

  for (const place of [
    "/dashboard",
    "/invoice/0",
    "/account/statement",
    "/account/wallet",
    "/policy",
  ]) {
    await page.goto(place);
    await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    await expect(page.locator("[aria-busy=true]")).toHaveCount(0);
    await expectNoPaypal(page);
  }
});
