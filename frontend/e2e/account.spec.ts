import { readFile } from "node:fs/promises";
import { changeBasket, emptyBasket, signInAt, signInBuyer } from "./demo";
import { checkAccessible, openPage, SIZES } from "./pages";
import { inPortal, pagesOf } from "./portal";
import { expect, type Page, test } from "./test";

/** The closing balance of a statement's workbook: the last figure of the row that is called so. */
const CLOSING = `
import openpyxl
rows = openpyxl.load_workbook(open(data, "rb"), data_only=True).active.iter_rows(values_only=True)
print([cell for row in rows if "Closing balance" in row for cell in row if isinstance(cell, int | float)][-1])
`;
const CANCELLED = `
from apps.orders.models import Order
print(Order.objects.filter(status=0, company__users__email="buyer@demo.test").first().invoice_code)
`;
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

async function download(page: Page, format: string): Promise<string> {
  const [file] = await Promise.all([
    page.waitForEvent("download"),
    (async () => {
      await page.getByRole("button", { name: "Download" }).click();
      await page.getByRole("menuitem", { name: format }).click();
    })(),
  ]);
  return file.path();
}

test("a statement closes with the same amount on the screen and in its three files", async ({
  browser,
}) => {
  const problems: string[] = [];
  const page = await openPage(browser, problems);
  await signInAt(page, "/account/statement");
  await page.getByLabel("From").fill("2026-01-01");
  const last = page
    .getByRole("row", { name: /Closing/ })
    .getByRole("cell")
    .last();
  const shown = (await last.textContent()) ?? "";
  const closing = Number(shown.replace(/[$,\s]/g, "").replace(/^[–−]/, "-"));
  expect(closing).not.toBe(0);
  const csv = (await readFile(await download(page, "CSV"), "utf8")).trimEnd().split("\r\n");
  expect(csv.find((row) => row.includes("Closing"))).toContain(closing.toFixed(2));
  expect(Number(inPortal(CLOSING, await download(page, "XLSX")))).toBe(closing);
  const pdf = pagesOf(await readFile(await download(page, "PDF"))).join(" ");
  expect(pdf).toContain(`Closing balance ${shown.replace("$", "")}`);
  expect(problems).toEqual([]);
});

for (const [name, viewport] of SIZES) {
  test(`a cancelled order says why, and shows nothing as if it were due, on a ${name}`, async ({
    browser,
  }) => {
    const problems: string[] = [];
    const page = await openPage(browser, problems, { viewport });
    await signInBuyer(page);
    for (const colorScheme of ["light", "dark"] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto(`/invoice/0?invoice_code=${inPortal(CANCELLED)}`);
      const step = page.getByRole("region", { name: "Next step" });
      await expect(step).toContainText(/Cancelled on \d+ [A-Z][a-z]{2} \d{4}/);
      await expect(step).toContainText("Received from you");
      const totals = page.getByRole("region", { name: "Totals" });
      await expect(totals).toContainText("Nothing is due");
      await expect(totals).not.toContainText("Total");
      await checkAccessible(page);
    }
    expect(problems).toEqual([]);
  });
}

for (const [name, viewport] of SIZES) {
  test(`a basket and a checkout of all products stay light on a ${name}`, async ({
    browser,
    request,
  }) => {
    const lines: { sku: string; count: number }[] = JSON.parse(inPortal(ALL));
    expect(lines.length).toBeGreaterThan(200);
    await emptyBasket(request);
    await changeBasket(request, () => lines);
    const problems: string[] = [];
    const page = await openPage(browser, problems, { viewport });
    await signInBuyer(page);
    await page.goto("/order?panel=basket");
    const row = page.locator(`[aria-setsize="${lines.length}"]`).filter({ visible: true }).first();
    await expect(row).toBeVisible();
    await checkLight(page);
    await page
      .getByRole("button", { name: "Order", exact: true })
      .filter({ visible: true })
      .click();
    await page.getByRole("button", { name: "Confirm", exact: true }).click();
    await expect(page).toHaveURL(/\/order\/checkout-deposit\/.+/);
    await expect(page.getByRole("button", { name: "Checkout", exact: true })).toBeVisible();
    await checkLight(page);
    await emptyBasket(request);
    expect(problems).toEqual([]);
  });
}

/** As many nodes as a short list has, at its head and further down; nothing that axe finds. */
async function checkLight(page: Page): Promise<void> {
  await checkAccessible(page);
  for (const far of [0, 4000]) {
    await page.mouse.wheel(0, far);
    expect(await page.evaluate("document.querySelectorAll('*').length")).toBeLessThan(1500);
  }
}
