import { emptyBasket, signInBuyer } from "./demo";
import { checkAccessible, openPage, pressAction, SIZES } from "./pages";
import { inPortal } from "./portal";
import { expect, test } from "./test";

test.beforeEach(({ request }) => emptyBasket(request));

for (const [name, viewport] of SIZES) {
  test(`Back and reload return to the place in the lists of products and orders, on a ${name}`, async ({
    browser,
  }) => {
    const problems: string[] = [];
    const page = await openPage(browser, problems, { viewport });
    await signInBuyer(page);
    const row = page.locator("[aria-posinset]");
    const list = page.locator(name === "phone" ? "[data-panel]" : ":has(> ul > [aria-posinset])");
    const place = () => list.evaluate((element) => Math.round(element.scrollTop));
    await expect(row.first()).toBeVisible();
    // Three pages of fifty products down.
    for (let reached = 0; reached < 120; ) {
      await list.evaluate((element) => element.scrollBy(0, 1000));
      reached = Number(await row.last().getAttribute("aria-posinset"));
    }
    const before = await place();
    // An earlier rest of the same scrolling may have been kept already.
    const height = await row.first().evaluate((item: HTMLElement) => item.offsetHeight);
    const keptRow = () => page.evaluate(() => history.state.row ?? 0);
    await expect.poll(async () => Math.round((await keptRow()) * height)).toBe(before);

    await page.reload();
    await expect.poll(place).toBe(before);
    await page.getByRole("link", { name: "Order info" }).first().click();
    await expect(page.getByRole("heading", { name: "Order Information" })).toBeVisible();
    await page.goBack();
    await expect.poll(place).toBe(before);

    // What is searched begins at its top, and stands in the address.
    await page.getByLabel("Search product name or SKU").fill("cream");
    await expect(page).toHaveURL("/order?search=cream");
    await expect.poll(place).toBe(0);
    await page.reload();
    await expect(page.getByLabel("Search product name or SKU")).toHaveValue("cream");
    await expect(row.first()).toContainText(/cream/i);

    // The orders' search and filters come back too, from another screen and from another order.
    await page.goto("/invoice/0");
    const orders = page.getByLabel("Search Invoice Number");
    await orders.fill("cream");
    await page.getByRole("button", { name: "Filter" }).click();
    await page.getByRole("checkbox", { name: "Oldest first" }).check();
    await page.getByRole("button", { name: "Show", exact: true }).click();
    const kept = "search=cream&sort=oldest";
    await expect(page).toHaveURL(`/invoice/0?${kept}`);
    await page.locator("[data-code]").nth(1).click();
    await expect(page).toHaveURL(new RegExp(`invoice_code=.*&${kept}$`));
    await page.goBack();
    await page.getByRole("link", { name: "System" }).first().click();
    await expect(page.getByRole("heading", { name: "System" })).toBeVisible();
    await page.goBack();
    await expect(page).toHaveURL(`/invoice/0?${kept}`);
    await expect(orders).toHaveValue("cream");
    await page.reload();
    await expect(orders).toHaveValue("cream");
    await expect(page.getByRole("button", { name: "Filter 1" })).toBeVisible();
    expect(problems).toEqual([]);
  });
}

test("last month's goods are ordered again with four taps on a phone", async ({ browser }) => {
  const problems: string[] = [];
  const viewport = { width: 390, height: 844 };
  const page = await openPage(browser, problems, { viewport, hasTouch: true, isMobile: true });
  await page.goto("/dashboard");
  await page.getByLabel("Email").fill("buyer@demo.test");
  await page.getByLabel("Password").fill("demo-buyer-1");
  await page.getByRole("button", { name: "Sign in" }).tap();
  await page.getByRole("link", { name: "Order last month again" }).tap();
  await expect(page.getByText(/products put into the basket/)).toBeVisible();
  await expect(page).toHaveURL("/order?panel=basket");
  await checkAccessible(page);
  await page.getByRole("button", { name: "Order", exact: true }).filter({ visible: true }).tap();
  await page.getByRole("button", { name: "Confirm", exact: true }).tap();
  await expect(page).toHaveURL(/\/order\/checkout-deposit\/.+/);
  expect(problems).toEqual([]);
});

test("an order is ordered again from its page, beside what is in the basket, and taken back", async ({
  browser,
}) => {
  const problems: string[] = [];
  // The server keeps what other journeys have left in the basket.
  inPortal("from apps.orders.models import Basket\nBasket.objects.all().delete()");
  const page = await openPage(browser, problems);
  await signInBuyer(page);
  const held = () => page.evaluate(() => JSON.parse(localStorage.getItem("basket") ?? "[]").length);
  await page
    .getByRole("button", { name: /^Select/ })
    .first()
    .click();
  expect(await held()).toBe(1);

  // The last of the list, opened by its link: the list goes to its row, the page stays at its head.
  await page.goto("/invoice/0");
  const oldest = await page.locator("[data-code]").last().getAttribute("data-code");
  await page.goto(`/invoice/0?invoice_code=${oldest}`);
  await expect(page.locator("[data-code][aria-current]")).toBeInViewport({ ratio: 0.9 });
  expect(await page.evaluate("scrollY")).toBe(0);

  await page.goto("/invoice/5");
  await page.getByRole("link", { name: "Order again", exact: true }).click();
  await page.getByRole("button", { name: "Add to them" }).click();
  await expect.poll(held).toBeGreaterThan(1);
  await page.getByRole("button", { name: "Undo" }).click();
  expect(await held()).toBe(1);

  // One line of it, without a question.
  await page.goBack();
  await page
    .getByRole("region", { name: "Products" })
    .getByRole("button", { name: /^View / })
    .last()
    .click();
  await page.getByRole("dialog").getByRole("link", { name: "Order again" }).click();
  await expect(page.getByText("1 product put into the basket.")).toBeVisible();
  expect(problems).toEqual([]);
});

for (const [name, viewport] of SIZES) {
  test(`the dashboard says what is due, on a ${name} screen`, async ({ browser }) => {
    const problems: string[] = [];
    const page = await openPage(browser, problems, { viewport, colorScheme: "dark" });
    await signInBuyer(page);
    // On a desktop nothing below it moves when it comes.
    const top = () =>
      page.locator("#order-amount").evaluate((head) => head.getBoundingClientRect().top);
    let before = 0;
    await page.route("**/api/dashboard/due/*", async (route) => {
      before = await top();
      await route.continue();
    });
    await page.goto("/dashboard");
    await expect(page.getByRole("link", { name: /^Pay, / }).first()).toBeVisible();
    if (name === "desktop") expect(await top()).toBe(before);
    await expect(page.getByRole("button", { name: /^Add \d to basket$/ })).toBeVisible();
    await checkAccessible(page);
    expect(problems).toEqual([]);
  });
}

for (const [name, viewport] of SIZES) {
  test(`the product list is sorted and filtered, on a ${name} screen`, async ({ browser }) => {
    const problems: string[] = [];
    const page = await openPage(browser, problems, { viewport });
    await signInBuyer(page);
    const row = page.locator("[aria-posinset]");
    await expect(row.first()).toBeVisible();
    await page.getByLabel("Sort products by").selectOption("Price");
    await page.getByRole("button", { name: "In stock only" }).click();
    await expect(page).toHaveURL("/order?sort=price&in_stock=1");
    await expect(row.filter({ hasText: "Sold out" })).toHaveCount(0);
    await checkAccessible(page);

    // Plurals, and words in any order.
    await page.getByLabel("Search product name or SKU").fill("creams golden");
    await expect(row.first()).toContainText(/Golden .*Cream/);
    await page.reload();
    await expect(row.first()).toContainText(/Golden .*Cream/);
    await expect(page.getByRole("button", { name: "In stock only" })).toHaveAttribute(
      "aria-pressed",
      "true",
    );
    expect(problems).toEqual([]);
  });
}

test("nothing needs scrolling sideways at 320 px", async ({ browser }) => {
  const problems: string[] = [];
  const page = await openPage(browser, problems, { viewport: { width: 320, height: 700 } });
  await signInBuyer(page);
  const close = () => page.keyboard.press("Escape");
  const dialog = page.getByRole("dialog");
  const look = async (shown = dialog) => {
    await expect(shown).toBeVisible();
    await checkAccessible(page);
  };

  await page
    .getByRole("button", { name: /^Select, / })
    .first()
    .click();
  await page
    .getByRole("button", { name: /^Show / })
    .first()
    .click();
  await look();
  await close();
  await pressAction(page, "Order from a list");
  await look();
  await close();
  await page.goto("/account/addresses");
  await page.getByRole("button", { name: "Add address" }).click();
  await look();
  await page.goto("/dashboard");
  await look(page.getByRole("link", { name: /^Pay, / }).first());
  await page.goto("/order?panel=basket");
  await page.getByRole("button", { name: "Order", exact: true }).filter({ visible: true }).click();
  await look();
  await dialog.getByRole("button", { name: "Confirm", exact: true }).click();
  await look(page.getByRole("textbox", { name: "Account Name" }));
  expect(problems).toEqual([]);
});
