import { openPage } from "./pages";
import { inPortal } from "./portal";
import { expect, type Page, test } from "./test";

/** The newest order of each status, where its pages are. */
const ORDERS = `
from apps.orders.models import Order
newest = [Order.objects.filter(status=status).latest("pk").pk for status in data]
print(json.dumps([f"/admin/orders/order/{pk}/" for pk in newest]))
`;
const FIELDS = "main form[method=post] :is(input:not([type=file]), select):visible";

async function signIn(page: Page) {
  await page.goto("/admin/");
  await page.getByLabel("Email").fill("sales@demo.test");
  await page.getByLabel("Password").fill("demo-sales-1");
  await page.keyboard.press("Enter"); // the sign-in is sent by it
  await expect(page.getByRole("heading", { name: "To do", exact: true, level: 1 })).toBeVisible();
}

test("Enter sends nothing on any sheet of an order, and no key presses a red button", async ({
  browser,
}) => {
  const problems: string[] = [];
  const page = await openPage(browser, problems);
  page.on("dialog", (dialog) => dialog.accept());
  await signIn(page);
  const [preparing, confirmed, paid, shipped] = JSON.parse(inPortal(ORDERS, [2, 3, 4, 5]));
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && !request.url().endsWith("/check/")) sent.push(request.url());
  });

  const sheets: [string, number][] = [
    [`${preparing}confirm/`, 5],
    [`${preparing}documents/add/`, 1],
    [`${preparing}book-wire/`, 2],
    [`${preparing}cancel/`, 2],
    [`${confirmed}packing/`, 0],
    [`${confirmed}invoice/`, 0],
    [`${confirmed}remind/`, 0],
    [`${paid}ship/`, 2],
    [`${paid}change/`, 0],
    [`${shipped}tracking/`, 3],
    [`${paid}late/`, 0],
  ];
  // The browser's own rules, where no script has run, send from dates, lists and ticks too.
  const plain = await browser.newContext({
    javaScriptEnabled: false,
    storageState: await page.context().storageState(),
  });
  const unscripted = await plain.newPage();
  unscripted.on("request", (request) => request.method() === "POST" && sent.push(request.url()));
  for (const tab of [page, unscripted]) {
    // One script is on all pages; two have scripts of their own beside it.
    const shown = tab === page ? sheets.filter(([sheet]) => /confirm|packing/.test(sheet)) : sheets;
    for (const [sheet, atLeast] of shown) {
      await tab.goto(sheet);
      await expect(tab, sheet).toHaveURL(sheet);
      const fields = tab.locator(FIELDS);
      const count = await fields.count();
      expect(count, sheet).toBeGreaterThanOrEqual(atLeast);
      for (let at = 0; at < count; at += 1) {
        await fields.nth(at).focus();
        await tab.keyboard.press("Enter");
      }
      expect(sent, sheet).toEqual([]);
      await expect(tab, sheet).toHaveURL(sheet);
    }
  }
  await plain.close();

  // The wheel over a number that has the focus scrolls the page and leaves the number.
  await page.goto(`${preparing}confirm/`);
  const fee = page.getByLabel(/Shipping fee/);
  await fee.fill("86.40");
  await fee.hover();
  await page.mouse.wheel(0, -300);
  await page.keyboard.press("Enter");
  await expect(fee).toHaveValue("86.40");
  await expect(page.locator("input[type=number]")).toHaveCount(0);

  // Ctrl Enter on the page that cancels presses nothing, wherever the focus is.
  await page.goto(`${preparing}cancel/`);
  await page.keyboard.press("Control+Enter");
  const words = page.getByLabel(/Explanation/);
  await words.fill("They gave it up");
  await words.press("Control+Enter");
  await words.press("Enter");
  await page.getByRole("button", { name: /^Cancel the order/ }).focus();
  await page.keyboard.press("Control+Enter");
  await expect(page.getByRole("link", { name: "Keep the order" })).toBeVisible();
  expect(sent).toEqual([]);
  expect(problems).toEqual([]);
});
