import {
  type Browser,
  type BrowserContextOptions,
  expect,
  type Locator,
  type Page,
} from "@playwright/test";
import axe from "axe-core";

export const SIZES = [
  ["desktop", { width: 1440, height: 900 }],
  ["phone", { width: 390, height: 844 }],
] as const;

/** A page of a new visitor that notes script errors and breaches of the page's content policy. */
export async function openPage(
  browser: Browser,
  problems: string[],
  options: BrowserContextOptions = {},
): Promise<Page> {
  const page = await (await browser.newContext(options)).newPage();
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });
  return page;
}

export const EVERY_RULE = "resultTypes: ['violations']";
const CONTRAST = "runOnly: ['color-contrast']";

/** No fault that axe finds, and nothing that needs scrolling sideways. Into frames it does not look: mails run no script. */
export async function checkAccessible(page: Page, rules = EVERY_RULE): Promise<void> {
  await expect(page.locator("main").first()).toBeAttached();
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  // Called in the page itself: Playwright's own wrapper takes four times as long. No rule of these reads style sheets.
  const found = `axe.run({ iframes: false, preload: false, ${rules} }).then(({ violations }) => violations)`;
  // What is being loaded has no rows yet that could be focused: a fault is what stays.
  await expect.poll(() => page.evaluate(found)).toEqual([]);
  expect(await sideways(page)).toBeLessThanOrEqual(0);
}

/** By how many pixels a page is wider than its window. */
export async function sideways(page: Page): Promise<number> {
  return page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
}

/** The same on a desktop and a phone, and in the dark: what a theme can spoil is its contrast alone. */
export async function checkEverywhere(page: Page): Promise<void> {
  const before = page.viewportSize() ?? SIZES[0][1];
  for (const [, viewport] of SIZES) {
    await page.setViewportSize(viewport);
    await checkAccessible(page);
  }
  await page.emulateMedia({ colorScheme: "dark" });
  await checkAccessible(page, CONTRAST);
  await page.emulateMedia({ colorScheme: "light" });
  await page.setViewportSize(before);
}

/** Presses one of the order page's actions: what does not stand on its head is in its menu “More”. */
export async function pressAction(page: Page, name: string): Promise<void> {
  const button = page.getByRole("button", { name, exact: true });
  const more = page.getByRole("button", { name: "More", exact: true });
  await expect(more).toBeVisible();
  if (await button.isVisible()) return button.click();
  await more.click();
  await page.getByRole("menuitem", { name, exact: true }).click();
}

/** Cells copied from a spreadsheet, pasted where the cursor is. */
export async function paste(field: Locator, rows: string[][]) {
  const text = rows.map((cells) => cells.join("\t")).join("\r\n");
  await field.evaluate((target, given) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", given);
    const event = new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true });
    target.dispatchEvent(event);
  }, text);
}
