import { checkAccessible, SIZES } from "./pages";
import { expect, test } from "./test";

for (const [name, viewport] of SIZES) {
  test(`the policy is accessible on a ${name}, and is jumped in by its contents`, async ({
    page,
  }) => {
    await page.setViewportSize(viewport);
    await page.goto("/policy#customs-duties-and-declared-values");
    await expect(page.getByRole("heading", { name: /^Customs duties/ })).toBeFocused();
    await expect(page.getByRole("heading", { name: /^Customs duties/ })).toBeInViewport();
    await checkAccessible(page);
    const contents = page.getByRole("navigation", { name: "Contents" });
    await contents.getByRole("link", { name: "Returns and claims" }).click();
    await expect(page).toHaveURL(/\/policy#returns-and-claims$/);
    await expect(page.getByRole("heading", { name: "Returns and claims" })).toBeFocused();
    const current = contents.locator("[aria-current]");
    await expect(current).toHaveText("Returns and claims");

    // The strip of a phone keeps still while one of its links is pressed.
    if (name !== "phone") return;
    // By hand: Playwright's own way to a link scrolls the page.
    const link = await current.boundingBox();
    if (!link) throw new Error("The link is drawn");
    await page.mouse.move(link.x + link.width / 2, link.y + link.height / 2);
    await page.mouse.down();
    await page.evaluate(() => scrollBy(0, -900));
    await expect(current).not.toHaveText("Returns and claims");
    await page.mouse.up();
    await expect(current).toHaveText("Returns and claims");
  });
}

test("a reset link has no fault, and leaves the address bar", async ({ page }) => {
  await page.goto("/login#reset=00000000000000000000000000000000.forged");
  await expect(page.getByRole("heading", { name: "Choose a new password" })).toBeVisible();
  await expect(page).toHaveURL(/\/login$/);
  await checkAccessible(page);
});
