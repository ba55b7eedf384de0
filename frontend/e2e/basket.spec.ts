import { emptyBasket, signInBuyer } from "./demo";
import { checkAccessible, openPage, pressAction, SIZES } from "./pages";
import { expect, type Page, test } from "./test";

test.beforeEach(({ request }) => emptyBasket(request));

const stored = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem("basket") ?? "[]") as { sku: string }[]);

test("the basket is one on two devices and in two tabs, and comes back after a sign-out", async ({
  browser,
}, { outputDir }) => {
  const problems: string[] = [];
  const desk = await openPage(browser, problems, { viewport: SIZES[0][1] });
  const phone = await openPage(browser, problems, { viewport: SIZES[1][1] });
  await signInBuyer(desk);
  await signInBuyer(phone);

  await desk
    .getByRole("button", { name: /^Select, / })
    .first()
    .click();
  await desk
    .getByRole("button", { name: /^Select, / })
    .first()
    .click();
  const [one, two] = await stored(desk);
  if (!one || !two) throw new Error("nothing was selected");
  await expect.poll(() => stored(phone)).toEqual([one, two]);

  await phone.goto("/order?panel=basket");
  const quantity = phone.getByRole("spinbutton", { name: /^Quantity/ }).first();
  await quantity.fill("40");
  await quantity.press("Enter");
  await expect.poll(() => stored(desk)).toEqual([{ ...one, count: 40 }, two]);
  const tab = await desk.context().newPage();
  await tab.goto("/order");
  await tab
    .getByRole("button", { name: /^Remove / })
    .last()
    .click();
  await expect.poll(() => stored(phone)).toEqual([{ ...one, count: 40 }]);

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
  await signInBuyer(desk);
  await expect.poll(() => stored(desk)).toEqual([{ ...one, count: 50 }]);
  await expect(desk.getByText(/^Restored/)).toHaveCount(0);
  await checkAccessible(desk);
  await desk.screenshot({ path: `${outputDir}/restored-desktop.png` });
  await phone.screenshot({ path: `${outputDir}/basket-phone.png` });
  await desk
    .getByRole("button", { name: /^Remove / })
    .first()
    .click();
  await expect.poll(() => stored(phone)).toEqual([]);
  expect(problems).toEqual([]);
});

test("what the network kept from the server waits for the next sign-in", async ({ browser }) => {
  const page = await openPage(browser, []);
  await signInBuyer(page);
  await page.route("**/api/basket/edits", (route) => route.abort());
  await page
    .getByRole("button", { name: /^Select, / })
    .first()
    .click();
  const lines = await stored(page);
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await expect.poll(() => page.evaluate(() => localStorage.length)).toBe(0);
  await page.unroute("**/api/basket/edits");
  await signInBuyer(page);
  await expect.poll(() => stored(page)).toEqual(lines);
  await page
    .getByRole("button", { name: /^Remove / })
    .first()
    .click();
  await expect.poll(() => stored(page)).toEqual([]);
});

for (const [size, viewport] of SIZES) {
  test(`a basket is saved, and what Reset took away opened again (${size})`, async ({ browser }, {
    outputDir,
  }) => {
    const problems: string[] = [];
    const page = await openPage(browser, problems, { viewport });
    await signInBuyer(page);
    await page.goto("/order?panel=products");
    await page
      .getByRole("button", { name: /^Select, / })
      .first()
      .click();
    const lines = await stored(page);
    await page.goto("/order?panel=basket");
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: /^Save this basket as/ }).click();
    await page.getByRole("textbox", { name: /^Name/ }).fill(`Christmas ${size}`);
    await checkAccessible(page);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await expect(page.getByText(`“Christmas ${size}” saved.`)).toBeVisible();
    await pressAction(page, "Reset");
    await expect(page.getByText(/^Basket emptied\. Kept as “Before Reset, /)).toBeVisible();
    await page.getByRole("button", { name: "More", exact: true }).click();
    const kept = page.getByRole("menuitem", { name: /^Before Reset, / }).first();
    await expect(kept).toBeVisible();
    await checkAccessible(page);
    await page.screenshot({ path: `${outputDir}/baskets-${size}.png` });
    // On a phone it comes from below, over the bars; a tap beside it closes it and presses nothing.
    const menu = page.getByRole("menu");
    const { x, y, width, height } = (await menu.boundingBox()) ?? { x: 1, y: 1, ...viewport };
    if (size === "phone") {
      expect([x, width, y + height]).toEqual([0, viewport.width, viewport.height]);
      await page.mouse.click(200, y / 2);
      await expect(menu).toHaveCount(0);
      expect(page.url()).toContain("panel=basket");
      await page.getByRole("button", { name: "More", exact: true }).click();
    }
    await kept.click();
    await expect.poll(() => stored(page)).toEqual(lines);
    await page.getByRole("button", { name: "More", exact: true }).click();
    await page.getByRole("menuitem", { name: "All baskets" }).click();
    await checkAccessible(page);
    await page.screenshot({ path: `${outputDir}/all-${size}.png` });

    // The same on the account's page; opening one leads back here.
    await page.goto("/account/baskets");
    const more = page.getByRole("button", { name: `More, Christmas ${size}` });
    await more.click();
    await page.getByRole("menuitem", { name: "Rename" }).click();
    await page.getByRole("textbox", { name: /^Name/ }).fill(`Easter ${size}`);
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("button", { name: `More, Easter ${size}` }).click();
    await page.getByRole("menuitem", { name: "Share" }).click();
    await expect(page.getByText(/ product · shared · /)).toBeVisible();
    await checkAccessible(page);
    await page.screenshot({ path: `${outputDir}/account-baskets-${size}.png` });
    await page.getByRole("link", { name: `Open, Easter ${size}` }).click();
    await page.getByRole("button", { name: "Replace them" }).click();
    await expect(page.getByText(`“Easter ${size}” opened.`)).toBeVisible();
    await expect(page).toHaveURL("/order?panel=basket");
    await expect.poll(() => stored(page)).toEqual(lines);
    await page.goto("/account/baskets");
    await page.getByRole("button", { name: `More, Easter ${size}` }).click();
    await page.getByRole("menuitem", { name: "Delete" }).click();
    await page.getByRole("button", { name: "Confirm" }).click();
    await expect(page.getByRole("heading", { name: `Easter ${size}` })).toHaveCount(0);
    expect(problems).toEqual([]);
  });
}
