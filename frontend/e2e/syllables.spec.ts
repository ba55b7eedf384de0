import { signInAt, signInBuyer } from "./demo";
import { openPage } from "./pages";
import { type CDPSession, expect, type Locator, type Page, test } from "./test";

/** Write a syllable as a Korean keyboard does: unfinished, until a key that the keyboard keeps ends it. */
async function compose(page: Page, field: Locator, syllable: string, key: string) {
  const keyboard: CDPSession = await page.context().newCDPSession(page);
  await field.focus();
  await keyboard.send("Input.imeSetComposition", {
    text: syllable,
    selectionStart: syllable.length,
    selectionEnd: syllable.length,
  });
  await keyboard.send("Input.dispatchKeyEvent", {
    type: "rawKeyDown",
    windowsVirtualKeyCode: 229,
    key,
    code: key,
  });
  await keyboard.send("Input.insertText", { text: syllable });
  await keyboard.detach();
}

test("a key that ends a syllable neither moves nor sends, on the staff's pages", async ({
  browser,
}) => {
  const problems: string[] = [];
  const page = await openPage(browser, problems);
  page.on("dialog", (dialog) => dialog.accept());
  const sent: string[] = [];
  page.on("request", (request) => {
    if (request.method() === "POST" && !/save|check/.test(request.url())) sent.push(request.url());
  });
  await signInAt(page, "/admin/orders/order/?status=2", "sales");
  sent.length = 0;
  await page.locator("#result_list tbody th a").first().click();
  const order = page.url();
  await page.goto(`${order.replace(/change\/.*$/, "")}confirm/`);

  const comments = page.locator("#lines input.comment");
  for (const key of ["ArrowDown", "Enter", "Tab"]) {
    await comments.first().fill("");
    await compose(page, comments.first(), "한", key);
    await expect(comments.first()).toBeFocused();
    await expect(comments.first()).toHaveValue("한");
  }
  await page.keyboard.press("Enter");
  await expect(comments.first()).not.toBeFocused();

  const box = page.getByRole("search", { name: "Find" }).getByRole("searchbox");
  const here = page.url();
  await compose(page, box, "ㅎ", "Enter");
  expect(page.url()).toBe(here);
  await box.press("Enter");
  await expect(page).toHaveURL(/jump\/\?q=%E3%85%8E/);

  await page.goto("/admin/orders/order/?status=3");
  await page.locator("#result_list tbody th a").first().click();
  await page.getByRole("link", { name: "Packing sheet" }).click();
  const again = page.getByRole("button", { name: "Edit again" });
  if (await again.isVisible()) await again.click();
  const skus = page.locator("#grid-rows input.sku");
  await expect(skus.first()).toBeVisible();
  sent.length = 0;
  const rows = await skus.count();
  await compose(page, skus.last(), "한", "Enter");
  await expect(skus.last()).toBeFocused();
  await expect(skus).toHaveCount(rows);
  await page.keyboard.press("Enter");
  await expect(skus).toHaveCount(rows + 1);
  expect(sent).toEqual([]);
  expect(problems).toEqual([]);
});

test("a buyer's search and quantities survive a syllable", async ({ browser }) => {
  const page = await openPage(browser, []);
  await signInBuyer(page);
  const search = page.getByRole("combobox", { name: "Search product name or SKU" });
  await compose(page, search, "크림", "Enter");
  await expect(search).toBeFocused();
  await expect(search).toHaveValue("크림");
  await search.fill("");
  const pieces = page.getByRole("spinbutton", { name: /^Pieces of/ });
  const [first, next] = [pieces.first(), pieces.nth(1)];
  await compose(page, first, "ㅁ", "Enter");
  await expect(first).toBeFocused();
  await first.fill("20");
  await first.press("Enter");
  await expect(next).toBeFocused();
});
