import axe from "axe-core";
import { emptyBasket, signInAt } from "./demo";
import { EVERY_RULE, openPage, SIZES } from "./pages";
import { expect, type Page, test } from "./test";

test.beforeEach(({ request }) => emptyBasket(request));

const POPUP = "[role=dialog], [role=alertdialog], [role=menu]";

/** No fault that axe finds in what is open; then it is closed. */
async function look(page: Page, name: string) {
  const popup = page.locator(POPUP).last();
  await expect(popup, name).toBeVisible();
  await expect(popup.locator("[aria-busy=true]"), name).toHaveCount(0);
  const run = `axe.run(${JSON.stringify(POPUP)}, { iframes: false, preload: false, ${EVERY_RULE} })
    .then(({ violations }) => violations.map(({ id, nodes }) => [id, nodes[0].html, nodes[0].failureSummary]))
    .catch((error) => [String(error)])`; // a menu is gone before its dialog is there
  await expect.poll(() => page.evaluate(run), { message: name }).toEqual([]);
  await page.keyboard.press("Escape");
  await expect(popup, name).toBeHidden();
}

for (const [size, viewport] of SIZES) {
  const colorScheme = size === "phone" ? "dark" : "light";
  test(`dialogs and menus have no fault, on a ${size} screen, ${colorScheme}`, async ({
    browser,
  }) => {
    const problems: string[] = [];
    const page = await openPage(browser, problems, { viewport, colorScheme });
    const press = (name: string | RegExp, exact = true) =>
      page.getByRole("button", { name, exact }).filter({ visible: true }).first().click();
    const opened = async (name: string | RegExp) => {
      await press(name);
      await look(page, String(name));
    };
    await signInAt(page, "/order");
    await expect(page.locator("[aria-posinset]").first()).toBeVisible();
    await page.evaluate(axe.source);
    await opened(/^Show /);
    if (size === "desktop") await opened("Recent Orders");
    await press(/^Select, /);
    if (size === "phone") {
      await page.goto("/order?panel=basket");
      await page.evaluate(axe.source);
    }
    await opened("More");
    await press("More");
    await page.getByRole("menuitem", { name: /^Save this basket/ }).click();
    await look(page, "Save this basket");
    await opened("Order");
    await page.getByTitle("Nordlicht Beauty GmbH").click();
    await look(page, "Account");
    if (size === "desktop") {
      await page.keyboard.press("?");
      await look(page, "Shortcuts");
    }

    await page.goto("/invoice/3");
    await page.locator("[data-code]").filter({ hasText: "Balance due" }).first().click();
    await expect(page.getByRole("heading", { name: "Order Details" })).toBeAttached();
    await page.evaluate(axe.source);
    await opened(/^Documents/);
    await opened(/ PO number$/);
    await opened("Checkout");
    await opened(/^View /);
    await opened("P/L");
    expect(problems).toEqual([]);
  });
}
