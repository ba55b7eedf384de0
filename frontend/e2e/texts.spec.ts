import { signInAt } from "./demo";
import { checkAccessible, openPage } from "./pages";
import { expect, test } from "./test";

const PHONE = { width: 390, height: 844 };

test("staff change what a mail says, and publish the policy that buyers read", async ({
  browser,
}) => {
  const problems: string[] = [];
  const page = await openPage(browser, problems, { viewport: PHONE });
  await signInAt(page, "/admin/common/mailtext/", "admin");
  await checkAccessible(page);
  await page.getByRole("link", { name: "Order paid" }).click();
  const text = page.getByLabel("Text", { exact: true });
  const mail = page.frameLocator("#shown-mail");
  await expect(mail.getByText("Your order is paid in full.")).toBeVisible();
  await text.fill("Thank you, ");
  await page.getByRole("button", { name: "{name}" }).click();
  await expect(text).toHaveValue("Thank you, {name}");
  await expect(mail.getByText(/^Thank you, [A-Z]/)).toBeVisible();
  await text.fill("Thank you, {nmae}");
  await expect(page.locator("#typed-faults")).toHaveText("This mail has no {nmae}.");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.locator(".field-error").first()).toHaveText("This mail has no {nmae}.");
  await checkAccessible(page);
  await text.fill("Thank you, {name}.");
  await page.getByRole("button", { name: "Save" }).click();
  const row = page.getByRole("row").filter({ hasText: "Order paid" });
  await expect(row).toContainText("Yuna Park");

  await page.goto("/admin/common/policy/new/", { waitUntil: "networkidle" });
  const editor = page.getByRole("textbox", { name: "Text" });
  await editor.press("Control+Home");
  await page.keyboard.type("Our ");
  await expect(editor).toContainText("Our Privacy policy");
  await checkAccessible(page);
  await page.getByRole("button", { name: "Publish" }).click();
  await expect(page.getByRole("row").filter({ hasText: "Version 1" })).toContainText("holds now");
  await checkAccessible(page);
  await page.getByRole("link", { name: "Version 1" }).click();
  await checkAccessible(page);
  await page.goto("/policy");
  await expect(page.getByRole("heading", { name: "Our Privacy policy" })).toBeVisible();
  expect(problems).toEqual([]);
});
