import { openPage } from "./pages";
import { expect, test } from "./test";

test("the scripts of a Korean colleague's pages speak Korean from the first", async ({
  browser,
}) => {
  const page = await openPage(browser, [], { locale: "ko-KR" });
  await page.goto("/admin/orders/order/?status=3");
  await page.locator("#id_username").fill("sales@demo.test");
  await page.locator("#id_password").fill("demo-sales-1");
  await page.keyboard.press("Enter");
  await page.locator("#result_list tbody th a").first().click();
  const order = page.url().replace(/change\/.*$/, "");
  await page.goto(`${order}cancel/`);
  await expect(page.locator("#cancel-button")).toHaveText(/^[^A-Za-z]+$/);
  await page.goto(`${order}packing/`);
  const again = page.getByRole("button", { name: "다시 수정" });
  if (await again.isVisible()) await again.click();
  await expect(page.locator("#grid-rows input.count").first()).toHaveAttribute(
    "aria-label",
    /^[^A-Za-z]+$/,
  );
});
