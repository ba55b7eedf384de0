import AxeBuilder from "@axe-core/playwright";
import { type Browser, type BrowserContextOptions, expect, type Page } from "@playwright/test";

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

/** No fault that axe finds, and nothing that needs scrolling sideways. */
export async function checkAccessible(page: Page): Promise<void> {
  expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
  const overflow = "document.documentElement.scrollWidth - innerWidth";
  expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
}
