import {
  changeBasket,
  emptyBasket,
  requestOrder,
  selectProduct,
  signInBuyer,
  signInHere,
} from "./demo";
import { checkEverywhere, openPage, pressAction, SIZES } from "./pages";
import { inPortal } from "./portal";
import { expect, type Page, test } from "./test";

test.beforeEach(({ request }) => emptyBasket(request));

/** All that the buyer can order, with the least pieces of each. */
const ALL = `
from apps.accounts.models import User
from apps.catalog.selectors import cart_stock
from apps.catalog.models import Product
from apps.accounts.tests.factories import buyer_of
from django.utils import timezone
skus = [(sku, 0) for sku in Product.objects.values_list("sku", flat=True)]
shown = cart_stock(buyer=buyer_of(User.objects.get(email="buyer@demo.test")), lines=skus, now=timezone.now())
print(json.dumps([{"sku": one["sku"], "count": one["moq"]} for one in shown if one["selectable"] and one["qty"] >= one["moq"]]))
`;

const stored = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem("basket") ?? "[]") as { sku: string }[]);
/** What is in the browser's basket, sooner or later. */
const expectStored = (page: Page, lines: object[]) =>
  expect.poll(() => stored(page), { intervals: [100] }).toEqual(lines);

test("the basket is one on two devices and in two tabs, and comes back after a sign-out", async ({
  browser,
}) => {
  const problems: string[] = [];
  const desk = await openPage(browser, problems, { viewport: SIZES[0][1] });
  const phone = await openPage(browser, problems, { viewport: SIZES[1][1] });
  await signInBuyer(desk);
  await signInBuyer(phone);

  await selectProduct(desk);
  await selectProduct(desk);
  const [one, two] = await stored(desk);
  if (!one || !two) throw new Error("nothing was selected");
  await expectStored(phone, [one, two]);

  await phone.goto("/order?panel=basket");
  const quantity = phone.getByRole("spinbutton", { name: /^Quantity/ }).first();
  await quantity.fill("40");
  await quantity.press("Enter");
  await expectStored(desk, [{ ...one, count: 40 }, two]);
  const tab = await desk.context().newPage();
  await tab.goto("/order");
  await tab
    .getByRole("button", { name: /^Remove / })
    .last()
    .click();
  await expectStored(phone, [{ ...one, count: 40 }]);

  // What was edited just before the sign-out is there after the next sign-in, on any device.
  await desk
    .getByRole("spinbutton", { name: /^Quantity/ })
    .first()
    .fill("50");
  await desk
    .getByRole("spinbutton", { name: /^Quantity/ })
    .first()
    .press("Enter");
  await desk.getByRole("button", { name: "Logout" }).click();
  await expect(desk.getByRole("heading", { name: "Sign in" })).toBeVisible();
  expect(await desk.evaluate(() => localStorage.length)).toBe(0);
  await signInHere(desk);
  await desk.getByRole("link", { name: "Product order" }).click();
  await expectStored(desk, [{ ...one, count: 50 }]);
  await expect(desk.getByText(/^Restored/)).toHaveCount(0);
  await desk
    .getByRole("button", { name: /^Remove / })
    .first()
    .click();
  await expectStored(phone, []);
  expect(problems).toEqual([]);
});

test("a basket is saved on a phone, and what Reset took away opened again", async ({ browser }) => {
  const problems: string[] = [];
  const [, viewport] = SIZES[1];
  const page = await openPage(browser, problems, { viewport });
  const more = page.getByRole("button", { name: "More", exact: true });
  await signInBuyer(page);
  await page.goto("/order?panel=products");
  await selectProduct(page);
  const lines = await stored(page);
  await page.goto("/order?panel=basket");
  await more.click();
  await page.getByRole("menuitem", { name: /^Save this basket as/ }).click();
  await page.getByRole("textbox", { name: /^Name/ }).fill("Christmas");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("“Christmas” saved.")).toBeVisible();
  await pressAction(page, "Reset");
  await expect(page.getByText(/^Basket emptied\. Kept as “Before Reset, /)).toBeVisible();
  await more.click();
  const kept = page.getByRole("menuitem", { name: /^Before Reset, / }).first();
  await expect(kept).toBeVisible();
  // The menu comes from below, over the bars; a tap beside it closes it and presses nothing.
  const menu = page.getByRole("menu");
  const { x, y, width, height } = (await menu.boundingBox()) ?? { x: 1, y: 1, ...viewport };
  expect([x, width, y + height]).toEqual([0, viewport.width, viewport.height]);
  await page.mouse.click(200, y / 2);
  await expect(menu).toHaveCount(0);
  expect(page.url()).toContain("panel=basket");
  await more.click();
  await kept.click();
  await expectStored(page, lines);
  await more.click();
  await page.getByRole("menuitem", { name: "All baskets" }).click();
  await expect(page.getByRole("heading", { name: "Christmas" })).toBeVisible();
  await checkEverywhere(page);
  expect(problems).toEqual([]);
});

test("a basket and a checkout of all products stay light", async ({ browser, request }) => {
  const lines: { sku: string; count: number }[] = JSON.parse(inPortal(ALL));
  expect(lines.length).toBeGreaterThan(200);
  await changeBasket(request, () => lines);
  const page = await openPage(browser, []);
  await signInBuyer(page);
  await expect(page.locator(`[aria-setsize="${lines.length}"]`).first()).toBeVisible();
  await checkLight(page);
  await requestOrder(page);
  await expect(page.getByRole("button", { name: "Checkout", exact: true })).toBeVisible();
  await checkLight(page);
});

/** As many nodes as a short list has, at its head and further down. */
async function checkLight(page: Page): Promise<void> {
  for (const far of [0, 4000]) {
    await page.mouse.wheel(0, far);
    expect(await page.evaluate("document.querySelectorAll('*').length")).toBeLessThan(1500);
  }
}
