import { emptyBasket, selectProduct, signInAt, signInBuyer } from "./demo";
import { openPage, pressAction, SIZES, sideways } from "./pages";
import { expect, test } from "./test";

test.beforeEach(({ request }) => emptyBasket(request));

test("Back and reload return to the place in the list of products, on a phone", async ({
  browser,
}) => {
  const problems: string[] = [];
  const page = await openPage(browser, problems, { viewport: SIZES[1][1] });
  await signInBuyer(page);
  const row = page.locator("[aria-posinset]");
  const list = page.locator("[data-panel]");
  const place = () => list.evaluate((element) => Math.round(element.scrollTop));
  await expect(row.first()).toBeVisible();
  // Three pages of fifty products down.
  for (let reached = 0; reached < 120; ) {
    await list.evaluate((element) => element.scrollBy(0, 1000));
    reached = Number(await row.last().getAttribute("aria-posinset"));
  }
  const height = await row.first().evaluate((item: HTMLElement) => item.offsetHeight);
  const storedPlace = () =>
    page.evaluate((px) => Math.round((history.state.row ?? 0) * px), height);
  // What appears above the rows meanwhile moves them, and an earlier rest may be stored already.
  await expect.poll(async () => (await storedPlace()) - (await place())).toBe(0);
  const before = await place();
  await expect(page.getByRole("button", { name: "Order basket" })).toBeInViewport();

  await page.reload();
  await expect.poll(place).toBe(before);
  await page.getByRole("link", { name: "Order info" }).first().click();
  await expect(page.getByRole("heading", { name: "Order Information" })).toBeVisible();
  await page.goBack();
  await expect.poll(place).toBe(before);
  expect(problems).toEqual([]);
});

test("an order far down the list, opened by its link, is in sight, and its page at its head", async ({
  page,
}) => {
  await signInAt(page, "/invoice/0");
  const code = await page.locator("[data-code]").nth(-3).getAttribute("data-code");
  await page.goto(`/invoice/0?invoice_code=${code}`);
  await expect(page.locator("[data-code][aria-current]")).toBeInViewport({ ratio: 0.9 });
  expect(await page.evaluate("scrollY")).toBe(0);
});

test("nothing needs scrolling sideways at 320 px", async ({ browser }) => {
  const problems: string[] = [];
  const page = await openPage(browser, problems, { viewport: { width: 320, height: 700 } });
  await signInBuyer(page);
  const close = () => page.keyboard.press("Escape");
  const dialog = page.getByRole("dialog");
  const look = async (shown = dialog) => {
    await expect(shown).toBeVisible();
    expect(await sideways(page)).toBeLessThanOrEqual(0);
  };

  await selectProduct(page);
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
