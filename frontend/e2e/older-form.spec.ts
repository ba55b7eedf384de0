import { signInHere } from "./demo";
import { checkAccessible, openPage } from "./pages";
import { expect, test } from "./test";

test("a form that is older than the sign-in keeps what was typed and puts it back", async ({
  browser,
}) => {
  const problems: string[] = [];
  const page = await openPage(browser, problems);
  page.on("dialog", (dialog) => dialog.accept());
  await page.goto("/admin/orders/order/?status=2");
  await signInHere(page, "sales");
  await page.locator("#result_list tbody th a").first().click();
  await expect(page).toHaveURL(/change\//);
  const order = new URL(page.url()).pathname.replace(/change\/$/, "");

  await page.goto(`${order}confirm/`);
  await page.getByLabel(/Shipping fee/).fill("86.40");
  await expect(page.locator("[data-saved]")).toContainText("Saved"); // nothing is on its way

  const other = await page.context().newPage();
  await other.goto("/admin/password_change/");
  await other.getByRole("button", { name: "Log out" }).click();
  await other.goto("/admin/password_change/");
  await signInHere(other, "sales");
  await expect(other.getByRole("button", { name: "Log out" })).toBeAttached();
  await other.close();

  await page.getByRole("button", { name: /^Confirm the order/ }).click();
  const said = "You have signed in again since this form was opened";
  await expect(page.getByRole("heading", { name: said })).toBeVisible();
  await checkAccessible(page);
  await page.getByRole("link", { name: "Open the page with what I typed" }).click();
  await expect(page).toHaveURL(`${order}confirm/`);
  await expect(page.getByLabel(/Shipping fee/)).toHaveValue("86.40");
  await expect(page.getByRole("status").getByText(/^Restored what you typed/)).toBeVisible();
  expect(problems.filter((text) => !text.includes("403"))).toEqual([]);
});
