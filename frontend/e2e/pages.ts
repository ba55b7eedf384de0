import { type Browser, type BrowserContextOptions, expect, type Page } from "@playwright/test";
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

/** No fault that axe finds, and nothing that needs scrolling sideways. Into frames it does not look: mails run no script. */
export async function checkAccessible(page: Page): Promise<void> {
  await expect(page.locator("main").first()).toBeAttached();
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe.source);
  // Called in the page itself: Playwright's own wrapper takes four times as long.
  const found =
    "axe.run({ iframes: false, resultTypes: ['violations'] }).then(({ violations }) => violations)";
  // What is being loaded has no rows yet that could be focused: a fault is what stays.
  await expect.poll(() => page.evaluate(found)).toEqual([]);
  const overflow = "document.documentElement.scrollWidth - innerWidth";
  expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
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
