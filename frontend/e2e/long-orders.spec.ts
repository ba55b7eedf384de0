import { signInAt } from "./demo";
import { openPage } from "./pages";
import { expect, test } from "./test";

const TALLEST = 1600; // px, at 1440×900: of an order of 52 lines

test("an order of 52 lines, a shipped one of 46 and their packing sheets stay under 1,600 px", async ({
  browser,
}) => {
  const page = await openPage(browser, [], { viewport: { width: 1440, height: 900 } });
  const height = () => page.evaluate("document.documentElement.scrollHeight");
  await signInAt(page, "/admin/orders/order/?status=all", "sales");
  const orders: string[] = [];
  for (const lines of ["52", "46"]) {
    const row = page
      .getByRole("row")
      .filter({ has: page.locator(".field-line_count").getByText(lines, { exact: true }) });
    orders.push((await row.first().getByRole("link").first().getAttribute("href")) ?? "");
  }
  for (const order of orders) {
    await page.goto(order);
    await expect(page.getByRole("heading", { name: "Lines" })).toBeVisible();
    expect(await height(), order).toBeLessThanOrEqual(TALLEST);
    const start = page.getByRole("button", { name: "Start preparing" });
    if (await start.isVisible()) await start.click();
    await page.getByRole("link", { name: "Packing sheet" }).click();
    await expect(page.getByRole("heading", { name: /^Pack / })).toBeVisible();
    expect(await height(), page.url()).toBeLessThanOrEqual(TALLEST);
  }
});
