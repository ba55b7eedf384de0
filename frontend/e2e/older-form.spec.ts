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

  for (const { sheet, field, button } of [
    { sheet: "change/", field: /^Text$/, button: "Send answer" },
    { sheet: "confirm/", field: /Shipping fee/, button: /^Confirm the order/ },
  ]) {
    await page.goto(order + sheet);
    await page.getByLabel(field).fill("86.40");

    const other = await page.context().newPage();
    await other.goto("/admin/");
    await other.getByRole("button", { name: "Log out" }).click();
    await other.goto("/admin/");
    await signInHere(other, "sales");
    await expect(
      other.getByRole("heading", { name: "To do", exact: true, level: 1 }),
    ).toBeVisible();
    await other.close();

    await page.getByRole("button", { name: button }).click();
    const said = "You have signed in again since this form was opened";
    await expect(page.getByRole("heading", { name: said })).toBeVisible();
    await checkAccessible(page);
    await page.getByRole("link", { name: "Open the page with what I typed" }).click();
    await expect(page).toHaveURL(order + sheet);
    await expect(page.getByLabel(field)).toHaveValue("86.40");
    await expect(page.getByRole("status").getByText(/^Restored what you typed/)).toBeVisible();
  }
  expect(problems.filter((text) => !text.includes("403"))).toEqual([]);
});
