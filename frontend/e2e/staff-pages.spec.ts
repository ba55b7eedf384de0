import { signInAt } from "./demo";
import { checkAccessible, openPage } from "./pages";
import { expect, test } from "./test";

test("what staff look things up on has no fault on a phone and never widens it", async ({
  browser,
}) => {
  const problems: string[] = [];
  const page = await openPage(browser, problems, { viewport: { width: 390, height: 844 } });
  await signInAt(page, "/admin/accounts/company/", "sales");
  const row = page.locator("#result_list tbody tr").first();
  await expect(row.locator("[data-place=right]")).toBeVisible();
  await row.getByRole("link").first().click(); // a customer's own page
  await expect(page.getByRole("heading", { name: "Orders by status" })).toBeVisible();
  const sideways = (all: Element[]) =>
    all.filter((one) => one.scrollWidth > one.clientWidth).length;
  expect(await page.locator("main .scroll").evaluateAll(sideways)).toBe(0);
  await checkAccessible(page);

  await page.getByRole("link", { name: "Paste a message…" }).click();
  await page.getByLabel("For").selectOption({ index: 1 });
  const text = "AUR-GC050 40\nbubble wrap 20";
  await page.getByLabel("Message, as it was written").fill(text);
  await page.getByRole("button", { name: "Read it" }).click();
  await expect(page.getByRole("heading", { name: "What was read" })).toBeVisible();
  const asked = page.getByRole("row").filter({ hasText: "bubble wrap 20" });
  await expect(asked.getByText("Asked", { exact: true })).toBeVisible();
  await checkAccessible(page);

  await page.goto("/admin/catalog/product/add/");
  await page.getByRole("combobox", { name: "Brand" }).click();
  await expect(page.getByRole("option").nth(1)).toBeVisible();
  await checkAccessible(page);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText("Nothing was saved.")).toBeVisible();
  await checkAccessible(page);
  await page.goto("/admin/orders/nothing/");
  await expect(page.getByRole("heading", { name: "There is nothing here" })).toBeVisible();
  await checkAccessible(page);

  await page.goto("/admin/notices/notice/add/");
  const link = page.getByRole("button", { name: "Link" });
  await link.click();
  await expect(page.getByRole("dialog")).toBeVisible();
  await checkAccessible(page);
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toBeHidden();

  await page.getByRole("link", { name: "Menu" }).click();
  await expect(page.getByRole("navigation", { name: "Sidebar" })).toBeVisible();
  await expect(page.getByRole("link", { name: "Change password" })).toBeVisible();
  await checkAccessible(page);
  await page.mouse.click(380, 400);
  await expect(page.getByRole("navigation", { name: "Sidebar" })).toBeHidden();
  // The page that is not there.
  expect(problems.filter((text) => !text.includes("status of 404"))).toEqual([]);
});
