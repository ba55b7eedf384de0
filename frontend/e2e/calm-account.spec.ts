import { controlsInSight } from "./calm";
import { signInAt } from "./demo";
import { checkAccessible, checkEverywhere, openPage } from "./pages";
import { inPortal, pagesOf } from "./portal";
import { expect, type Page, test } from "./test";

const DESKTOP = { width: 1440, height: 900 };
const PHONE = { width: 390, height: 844 };
/** The order of the demo's buyer with the most lines in a status. */
const LARGEST = `
from django.db.models import Count
from apps.orders.models import Order
orders = Order.objects.filter(company__users__email="buyer@demo.test", status=data)
print(orders.annotate(n=Count("lines")).order_by("-n").first().invoice_code)
`;

/** What can be pressed or filled in at first look, without the rows of a list and the pictures of lines. */
async function controls(page: Page): Promise<string[]> {
  await page.waitForLoadState("networkidle");
  return (await controlsInSight(page)).filter((name) => !/^(MHW-.*\$|View )/.test(name));
}

test("an order of any status is short, shows few controls and has no fault", async ({ page }) => {
  await signInAt(page, "/dashboard");
  for (const status of [1, 2, 3, 4, 5, 0]) {
    const code = inPortal(LARGEST, status);
    await page.setViewportSize(DESKTOP);
    await page.goto(`/invoice/${status}?invoice_code=${code}`);
    await expect(page.getByRole("heading", { name: code })).toBeVisible();
    for (const [size, most, height] of [
      [DESKTOP, 22, 1_600],
      [PHONE, 14, 2_800],
    ] as const) {
      await page.setViewportSize(size);
      const seen = await controls(page);
      expect(seen.length, `${code}\n${seen.join("\n")}`).toBeLessThanOrEqual(most);
      const tall = await page.evaluate(() => document.documentElement.scrollHeight);
      expect(tall, code).toBeLessThanOrEqual(height);
    }
    if (status) await checkAccessible(page);
  }
  await checkEverywhere(page); // the cancelled one
});

test("dashboard, account and statement show few controls, and a phone's first third what stands there", async ({
  page,
}) => {
  await signInAt(page, "/dashboard");
  for (const [path, size, most, figure] of [
    ["/dashboard", DESKTOP, 20, ""],
    ["/account/overview", PHONE, 19, "Outstanding"],
    ["/account/statement?since=2026-01-01", PHONE, 23, "Closing balance"],
    ["/account/wallet", PHONE, Infinity, "Balance"],
  ] as const) {
    await page.setViewportSize(size);
    if (path !== "/dashboard") await page.goto(path);
    await expect(page.getByText("$").first()).toBeVisible();
    const seen = await controls(page);
    expect(seen.length, `${path}\n${seen.join("\n")}`).toBeLessThanOrEqual(most);
    if (!figure) continue; // session.spec.ts looks for faults of the dashboard
    const box = await page.getByText(figure).first().boundingBox();
    expect((box?.y ?? 999) + (box?.height ?? 0), path).toBeLessThan(PHONE.height / 3);
    await checkAccessible(page);
  }
});

test("a long order prints whole, and without anything to press", async ({ browser }) => {
  const page = await openPage(browser, []);
  const code = inPortal(LARGEST, 3);
  await signInAt(page, `/invoice/3?invoice_code=${code}`);
  const products = page.getByRole("region", { name: "Products" });
  await expect(products.getByRole("listitem").first()).toBeVisible();
  const left = await page.getByRole("button", { name: "Documents" }).boundingBox();
  await page.getByRole("button", { name: "Documents" }).click();
  await expect(page.getByRole("menuitem").first()).toHaveAttribute("href", /./);
  expect(await page.getByRole("button", { name: "Documents" }).boundingBox()).toEqual(left);
  await page.keyboard.press("Escape");
  const printed = pagesOf(await page.pdf({ format: "A4" })).join(" ");
  const lines = Number(((await products.textContent()) ?? "").match(/(\d+) products/)?.[1]);
  expect(lines).toBeGreaterThan(40);
  expect(printed.match(/USRP/g)?.length).toBeGreaterThanOrEqual(lines);
  for (const control of ["Filter", "Order again", "Edit Address"]) {
    expect(printed).not.toContain(control);
  }
});

test("a menu moves nothing on a phone", async ({ browser }) => {
  const page = await openPage(browser, [], { viewport: PHONE, hasTouch: true, isMobile: true });
  await signInAt(page, `/invoice/3?invoice_code=${inPortal(LARGEST, 3)}`);
  await page.getByRole("button", { name: "Documents" }).tap();
  await expect(page.getByRole("menuitem").first()).toBeVisible();
  const bar = await page.getByRole("navigation", { name: "Menu" }).last().boundingBox();
  expect(bar && [bar.width, bar.y + bar.height]).toEqual([PHONE.width, PHONE.height]);
});
