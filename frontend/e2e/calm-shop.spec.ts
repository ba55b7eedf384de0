import { controlsInSight, rowsInSight } from "./calm";
import { changeBasket, emptyBasket, requestOrder, signInBuyer } from "./demo";
import { pagesOf } from "./portal";
import { expect, test } from "./test";

const PHONE = { width: 390, height: 844 };

test.beforeEach(async ({ request }) => {
  await emptyBasket(request);
  await changeBasket(request, () => [
    { sku: "AUR-GC050", count: 20 },
    { sku: "YUZ-AP090", count: 48 },
  ]);
});

test("order page and checkout show few controls, and three rows of products at any size", async ({
  page,
}) => {
  await signInBuyer(page);
  const rows = page.locator("[aria-posinset]");
  for (const [width, height, most] of [
    [1440, 900, 40],
    [390, 844, 18],
    [844, 390, Infinity],
    [667, 375, Infinity],
    [720, 450, Infinity],
    [1024, 768, Infinity],
  ] as const) {
    await page.setViewportSize({ width, height });
    await expect(rows.first()).toBeAttached();
    await page.waitForLoadState("networkidle");
    const size = `${width}×${height}`;
    const controls = await controlsInSight(page);
    expect(controls.length, `${size}\n${controls.join("\n")}`).toBeLessThanOrEqual(most);
    expect(await rowsInSight(rows), size).toBeGreaterThanOrEqual(3);
  }

  // And so does the checkout.
  await page.setViewportSize({ width: 1440, height: 900 });
  await requestOrder(page);
  await expect(page.getByRole("textbox", { name: "Account Name" })).toBeVisible();
  await page.waitForLoadState("networkidle");
  const controls = await controlsInSight(page);
  expect(controls.length, controls.join("\n")).toBeLessThanOrEqual(16);
});

test("the basket prints with its sum, and while it is empty the products do", async ({
  page,
  request,
}) => {
  await signInBuyer(page);
  const basket = page.getByRole("region", { name: "Order basket" });
  await expect(basket.getByText("$752.96")).toBeVisible();
  const print = async () => pagesOf(await page.pdf({ format: "A4" })).join(" ");
  const ordered = await print();
  expect(ordered).toMatch(/Golden Rice Cream 50 ml.*Atelier Eye Patches.*Subtotal \$752\.96/);
  expect(ordered).not.toMatch(/Price list|Reset|In stock|Milk Veil/);

  await emptyBasket(request);
  await page.reload();
  await expect(basket.getByText("Your basket is empty")).toBeVisible();
  await expect(page.locator("[aria-posinset]").first()).toBeVisible();
  const listed = await print();
  expect(listed.match(/MOQ/g)?.length).toBeGreaterThan(20);
  expect(listed).not.toMatch(/Price list|Select|Your basket/);
});

test("a newcomer orders on a phone with eight taps, and no alert on the way", async ({
  browser,
  request,
}) => {
  await emptyBasket(request);
  const context = await browser.newContext({ viewport: PHONE, hasTouch: true, isMobile: true });
  const page = await context.newPage();
  await page.goto("/login");
  await page.getByLabel("Email").fill("buyer@demo.test");
  await page.getByLabel("Password").fill("demo-buyer-1");
  let taps = 0;
  const tap = async (role: "button" | "link", name: string | RegExp, place = 0) => {
    await page.getByRole(role, { name, exact: true }).filter({ visible: true }).nth(place).tap();
    taps += 1;
  };
  await tap("button", "Sign in");
  await tap("link", "Product order");
  await tap("button", /^Select, /);
  await tap("button", /^Select, /);
  await tap("button", "Order basket");
  await tap("button", "Order");
  await tap("button", "Confirm");
  await tap("button", "Checkout");
  await expect(page).toHaveURL(/\/invoice\/1\?invoice_code=/);
  expect(taps).toBeLessThanOrEqual(8);
});
