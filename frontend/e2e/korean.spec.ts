import { checkAccessible, openPage, sideways } from "./pages";
import { expect, test } from "./test";

/** The narrowest of a desk and of a phone: what has room there has it on wider ones. */
const WIDTHS = [1024, 390];
const PAGES = [
  "",
  "late/",
  "records/",
  "orders/order/",
  "payments/payment/desk/",
  "payments/payment/",
  "catalog/product/",
  "catalog/import/",
  "catalog/import/send/",
  "orders/wish/?by=brand",
  "orders/wish/?by=customer",
  "orders/wish/?by=wish",
  "orders/salestally/",
  "orders/salestally/receivables/",
  "orders/salestally/stock/",
  "accounts/company/",
  "accounts/registration/",
  "notices/notice/",
  "notices/notice/add/",
  "settings/",
  "password_change/",
];

test("a Korean colleague reads every page in Korean, and none is widened by it", async ({
  browser,
}) => {
  test.slow();
  const problems: string[] = [];
  const page = await openPage(browser, problems, { locale: "ko-KR" });
  await page.goto("/admin/");
  await expect(page.locator("html")).toHaveAttribute("lang", "ko");
  await checkAccessible(page);
  await page.locator("#id_username").fill("admin@demo.test");
  await page.locator("#id_password").fill("demo-admin-1");
  await page.getByRole("button", { name: "로그인" }).click();
  await expect(page.getByRole("heading", { name: "할 일", level: 1 })).toBeVisible();
  const widened: string[] = [];
  const look = async () => {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 900 });
      const over = await sideways(page);
      if (over > 0) widened.push(`${page.url()} at ${width}: ${over}`);
    }
    await checkAccessible(page);
  };
  for (const name of PAGES) {
    await page.goto(`/admin/${name}`);
    await look();
  }
  for (const list of ["orders/order/?status=all", "catalog/product/", "accounts/company/"]) {
    await page.setViewportSize({ width: 1440, height: 900 });
    await page.goto(`/admin/${list}`);
    await page.locator("#result_list tbody th a").first().click();
    await look();
  }
  // A page's own script speaks Korean from its first word on.
  await page.goto("/admin/orders/order/?status=2");
  await page.locator("#result_list tbody th a").first().click();
  await page.getByRole("link", { name: "확정표", exact: true }).click();
  await expect(page.locator("[data-total=back]")).toHaveText("0개");
  await look();
  await page.goto(page.url().replace("confirm", "cancel"));
  await expect(page.locator("#cancel-button")).toHaveText(/^[^A-Za-z]+$/);
  await look();
  await page.goto("/admin/orders/order/?status=3");
  await page.locator("#result_list tbody th a").first().click();
  await page.goto(page.url().replace(/change\/.*$/, "packing/"));
  const again = page.getByRole("button", { name: "다시 수정" });
  if (await again.isVisible()) await again.click();
  await expect(page.locator("#grid-rows input.count").first()).toHaveAttribute(
    "aria-label",
    /^[^A-Za-z]+$/,
  );
  await look();
  expect(widened).toEqual([]);
  // A text of the scripts, and the way back to English.
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.goto("/admin/password_change/");
  await page.locator("#single-keys").click();
  await expect(page.getByText("한 글자 단축키를 사용하지 않습니다.")).toBeVisible();
  await page.locator("#single-keys").click();
  await page.locator("#user-tools").getByRole("button", { name: "English" }).click();
  await expect(page).toHaveURL(/password_change/);
  await expect(page.getByText("Single-key shortcuts:")).toBeVisible();
  await page.locator("#user-tools").getByRole("button", { name: "한국어" }).click();
  await expect(page.getByText("한 글자 단축키:")).toBeVisible();
  // The choice stays with the colleague: the other journeys read English.
  await page.locator("#user-tools").getByRole("button", { name: "English" }).click();
  expect(problems).toEqual([]);
});
