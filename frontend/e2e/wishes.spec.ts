import { signInAt } from "./demo";
import { checkEverywhere, openPage, SIZES } from "./pages";
import { inPortal } from "./portal";
import { expect, test } from "./test";

/** A product that is sold out and that nobody waits for. */
function soldOut(): { sku: string; name: string } {
  const printed = inPortal(`
from django.db.models import F
from apps.catalog.models import Stock
rows = Stock.objects.filter(on_hand=F("allocated"), product__is_running=1, product__wishes=None)
product = rows.select_related("product").order_by("-product__sku")[0].product
print(json.dumps({"sku": product.sku, "name": product.eng_name}))
`);
  return JSON.parse(printed);
}

/** Lets pieces of a product arrive, or leave again (fewer than none). */
function arrive(sku: string, pieces: number): void {
  inPortal(
    `
from datetime import UTC, datetime
from apps.accounts.models import User
from apps.catalog.models import Stock
from apps.catalog.services import stock
sales, row = User.objects.get(email="sales@demo.test"), Stock.objects.get(product__sku=data["sku"])
count = {"on_hand": row.on_hand + data["pieces"], "reason": "Counted"}
stock.recount(product_id=row.pk, actor=sales, now=datetime.now(UTC), **count)
`,
    { sku, pieces },
  );
}

test("what is sold out is wished for, comes in, is held and ordered", async ({ browser }) => {
  const problems: string[] = [];
  const { sku, name: product } = soldOut();
  const page = await openPage(browser, problems, { viewport: SIZES[1][1] });
  await signInAt(page, "/order");
  await page
    .getByRole("searchbox", { name: /Search products/ })
    .or(page.getByPlaceholder(/product/i))
    .first()
    .fill(sku);
  await page.getByRole("button", { name: `Notify me when it is back: ${product}` }).click();
  await expect(page.getByText(`${product} is on your waiting list.`)).toBeVisible();

  await page.goto("/account/wishes");
  const row = page.getByRole("row", { name: new RegExp(sku) });
  await expect(row.getByText("Sold out")).toBeVisible();

  arrive(sku, 10);
  await page.reload();
  await expect(row.getByText(/10 reserved until/)).toBeVisible();
  await checkEverywhere(page);
  await page.getByRole("button", { name: "Order reserved items" }).click();
  await page.getByRole("button", { name: /^(OK|Confirm|Yes)$/ }).click();
  await page.waitForURL(/checkout-deposit/);
  await expect(page.getByText(product).first()).toBeVisible();
  await expect(page.getByText("Sold out")).toHaveCount(0);

  // Not wanted any more: it is for sale again.
  await page.goto("/account/wishes");
  await row.getByRole("button", { name: `Remove ${product}` }).click();
  await page.getByRole("button", { name: /^(OK|Confirm|Yes)$/ }).click();
  await expect(row).toHaveCount(0);
  arrive(sku, -10);
  expect(problems).toEqual([]);
});
