import { emptyBasket, requestOrder, selectProduct, signInBuyer, signInStaff } from "./demo";
import { openPage, paste } from "./pages";
import { expect, type Page, test } from "./test";

test.beforeEach(({ request }) => emptyBasket(request));

const TRACKING = "EE 123 456 789 KR";
const TRACKING_PAGE = "https://carrier.example/track/EE123456789KR";

/** Sales find the order by its code, as they do all day. */
async function jumpTo(page: Page, code: string) {
  await page.getByRole("searchbox", { name: /^Order, customer/ }).fill(code);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("heading", { name: code })).toBeVisible();
}

/** What the buyer sees of the order now. */
async function follow(page: Page, code: string, status: string) {
  await page.goto(`/invoice/0?invoice_code=${code}`);
  const head = page.getByRole("region", { name: code }).locator("header");
  await expect(head).toContainText(code);
  await expect(head).toContainText(status);
}

test("the main job: five products ordered, paid by wire, prepared, confirmed, shipped and tracked", async ({
  browser,
}) => {
  const problems: string[] = [];
  const buyer = await openPage(browser, problems);
  const sales = await openPage(browser, problems);

  // The buyer fills the basket and requests the order.
  await signInBuyer(buyer);
  for (let chosen = 0; chosen < 5; chosen += 1) {
    await selectProduct(buyer);
    await expect(buyer.getByRole("button", { name: /^Cancel/ })).toHaveCount(chosen + 1);
  }
  const code = await requestOrder(buyer);

  // The deposit by wire: a depositor is needed, then the order exists.
  await expect(buyer.getByText("Account number")).toBeVisible();
  await buyer.getByLabel("Account Name").fill("");
  await buyer.getByRole("button", { name: "Checkout", exact: true }).click();
  await expect(buyer.getByRole("alertdialog")).toContainText("Depositor's name is required.");
  await buyer.getByRole("button", { name: "OK" }).click();
  await buyer.getByLabel("Account Name").fill("Nordlicht Beauty");
  await buyer.getByRole("button", { name: "Checkout", exact: true }).click();
  await expect(buyer).toHaveURL(`/invoice/1?invoice_code=${code}`);
  await expect(buyer.getByRole("region", { name: /^MHW-/ }).locator("header")).toContainText(
    "Received",
  );
  await buyer.goto("/order");
  await expect(buyer.getByText("Your basket is empty")).toBeVisible();

  // Sales book the deposit, prepare and confirm with a shipping fee; the buyer sees each step.
  await signInStaff(sales);
  await jumpTo(sales, code);
  await sales.getByRole("button", { name: "Start preparing" }).click();
  await expect(sales.getByText(/Preparing/).first()).toBeVisible();
  await follow(buyer, code, "Preparing");

  await sales.getByRole("link", { name: "Open the confirmation sheet" }).click();
  await sales.getByLabel(/Shipping fee/).fill("86.40");
  await sales.getByRole("button", { name: "Confirm the order and mail the buyer" }).click();
  await expect(sales.getByRole("heading", { name: code, exact: true })).toBeVisible(); // no sheet
  await follow(buyer, code, "Confirmed");
  await expect(buyer.getByRole("region", { name: "Totals" })).toContainText("Balance due");

  await sales.getByRole("link", { name: "Confirm the announced wire" }).click();
  await sales.getByRole("button", { name: /^Confirm/ }).click();
  await expect(sales.getByRole("link", { name: code }).first()).toBeVisible(); // on the desk again
  await follow(buyer, code, "Confirmed");
  await expect(buyer.getByRole("region", { name: "Totals" })).toContainText("$86.40");

  // The balance by wire from the popup; sales confirm it, and the order is paid.
  await buyer.getByRole("button", { name: "Checkout", exact: true }).click();
  await buyer
    .getByRole("dialog")
    .getByLabel(/Account Name|Depositor/)
    .fill("Nordlicht Beauty");
  await buyer.getByRole("dialog").getByRole("button", { name: "Checkout", exact: true }).click();
  await expect(buyer).toHaveURL(`/invoice/3?invoice_code=${code}`);
  await expect(buyer.getByRole("region", { name: code }).locator("header")).toContainText(
    "Payment under review",
  );
  await jumpTo(sales, code);
  await sales.getByRole("link", { name: "Confirm the announced wire" }).click();
  await sales.getByRole("button", { name: /^Confirm/ }).click();
  await follow(buyer, code, "Completed Payment");

  // Packed: the sheet holds all that is confirmed; its weight and sizes are pasted into the row of the box.
  await jumpTo(sales, code);
  await expect(sales.getByText("Packing is not complete.")).toBeVisible();
  await sales.getByRole("link", { name: "Open the packing sheet" }).click();
  const weight = sales.getByLabel("kg each, box 1");
  const complete = sales.getByRole("button", { name: "Packing complete" });
  await weight.fill("0.1");
  await expect(sales.getByText("Box 1 has no size.").first()).toBeVisible();
  await expect(complete).toBeDisabled();
  const warning = await sales.getByText(/^Measured 0\.1 kg, products/).textContent();
  const products = Number(/products ([\d.]+) kg/.exec(warning ?? "")?.[1]);
  await paste(weight, [[(products * 1.1).toFixed(1), "52", "40", "34,5"]]);
  await expect(sales.getByText(/^Measured/)).toBeHidden();
  await complete.click();
  await expect(sales.getByRole("heading", { name: code, exact: true })).toBeVisible();
  await expect(sales.getByRole("region", { name: "Packing" })).toContainText("Complete");

  // Shipped with a tracking number; the link opens the carrier's page.
  await sales.getByRole("link", { name: "Ship this order" }).click();
  // Not the customer's usual carrier, whose link the portal makes: one that it does not know.
  await sales.getByRole("combobox", { name: "Carrier" }).selectOption("Not named");
  await sales.getByRole("textbox", { name: "Tracking number" }).fill(TRACKING);
  await sales.getByRole("textbox", { name: /address/i }).fill(TRACKING_PAGE);
  await sales.getByRole("button", { name: /Ship/ }).click();
  await expect(sales.getByRole("heading", { name: code, exact: true })).toBeVisible();
  await follow(buyer, code, "Shipment Completed");
  const details = buyer.getByRole("region", { name: "Order Details" });
  await expect(details).toContainText(TRACKING);
  const track = details.getByRole("link", { name: /^Track/ });
  await expect(track).toHaveAttribute("href", TRACKING_PAGE);
  await expect(track).toHaveAttribute("target", "_blank");

  expect(problems).toEqual([]);
});
