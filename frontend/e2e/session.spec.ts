import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";

async function signIn(page: Page) {
  await page.getByLabel("Email").fill("buyer@demo.test");
  await page.getByLabel("Password").fill("demo-buyer-1");
  await page.getByRole("button", { name: "Sign in" }).click();
}

test("a buyer signs in to the page asked for, searches, and logs out", async ({ page }) => {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });

  await page.goto("/dashboard?from=mail");
  await expect(page).toHaveURL(/\/login$/);
  await signIn(page);
  await expect(page).toHaveURL(/\/dashboard\?from=mail$/);
  await expect(page.getByRole("heading", { name: "Dash board" })).toBeFocused();
  await expect(page.getByRole("link", { name: /^Shipment Completed \d+$/ })).toBeVisible();

  const search = page.getByRole("searchbox", { name: "Invoice Number" });
  await page.keyboard.press("/");
  await expect(search).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alertdialog")).toContainText("Please enter your Invoice Number.");
  await page.getByRole("button", { name: "OK" }).click();
  await expect(search).toBeFocused();
  await page.keyboard.type("no such number");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alertdialog")).toContainText("Invoice Number does not exist.");
  await page.keyboard.press("Escape");

  await page.reload();
  await expect(page.getByRole("heading", { name: "Dash board" })).toBeVisible();
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  expect(problems).toEqual([]);
});

for (const [name, viewport] of [
  ["desktop", { width: 1440, height: 900 }],
  ["phone", { width: 390, height: 844 }],
] as const) {
  test(`sign-in, dashboard and Page not found are accessible on a ${name}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    const check = async (heading: string) => {
      await expect(page.getByRole("heading", { name: heading })).toBeVisible();
      expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
      const overflow = "document.documentElement.scrollWidth - innerWidth";
      expect(await page.evaluate(overflow)).toBeLessThanOrEqual(0);
    };
    await page.goto("/login");
    await check("Sign in");
    await signIn(page);
    await check("Dash board");
    await page.goto("/nope");
    await check("Page not found.");
  });
}
