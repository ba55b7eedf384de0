import { signInAt } from "./demo";
import { mailsTo } from "./mail";
import { checkAccessible, checkEverywhere, openPage, SIZES } from "./pages";
import { inPortal, sweep } from "./portal";
import { expect, type Locator, type Page, test } from "./test";

const LINES = 40;
const MOST_TAPS = 8;

/** A preparing order of forty lines, as a wire and sales have left it; returns its code. */
function preparingOrder(): string {
  return inPortal(
    `
from datetime import UTC, datetime
from apps.accounts.models import User
from apps.accounts.tests.factories import buyer_of
from apps.catalog.models import Product
from apps.orders.services.moves import start_preparing
from apps.payments.tests.factories import arrive, make_wire_order
buyer = buyer_of(User.objects.get(email="free@demo.test"))
sales = User.objects.get(email="sales@demo.test")
products = Product.objects.filter(is_running=1, usd_supply__gt=1).order_by("sku")[: data["lines"]]
order = make_wire_order(buyer, [(product, max(product.minimum, 10)) for product in products])
arrive(order, actor=sales)
start_preparing(order_id=order.pk, actor=sales, now=datetime.now(UTC))
print(order.invoice_code)
`,
    { lines: LINES },
  );
}

async function openSheet(page: Page, code: string) {
  const search = page.getByRole("searchbox", { name: /^Order, customer/ });
  if (!(await search.isVisible())) await page.goto(`/admin/orders/order/?q=${code}`);
  if (await search.isVisible()) {
    await search.fill(code);
    await page.keyboard.press("Enter");
  } else await page.locator("#result_list tbody th a").first().click();
  await page
    .getByRole("link", { name: /confirmation sheet$/i })
    .first()
    .click();
  await expect(page.getByRole("heading", { name: `Confirm ${code}` })).toBeVisible();
}

/** Proposes on a line of the sheet: the kind, and what its row below asks for. */
async function propose(line: Locator, kind: string, fields: Record<string, string> = {}) {
  await line.getByLabel(/^Reason or proposal/).selectOption({ label: kind });
  const row = line.locator("xpath=following-sibling::tr[1]");
  await expect(row).toBeVisible();
  for (const [label, value] of Object.entries(fields)) {
    if (label === "now") await line.getByLabel(/^Confirm/).fill(value);
    else if (label === "because") await row.getByLabel(label).selectOption({ label: value });
    else if (label === "without an answer") await row.getByLabel(label).selectOption(value);
    else await row.getByLabel(label, { exact: true }).fill(value);
  }
}

const money = async (place: Locator) =>
  Number(((await place.textContent()) ?? "").replace("–", "-").replace(/[^\d.-]/g, ""));

test("six proposals of forty lines are made, answered on a phone, added up and confirmed", async ({
  browser,
}) => {
  const problems: string[] = [];
  const code = preparingOrder();
  const sales = await openPage(browser, problems);
  sales.on("dialog", (dialog) => dialog.accept());
  await signInAt(sales, "/admin/", "sales");
  await openSheet(sales, code);

  // Sales propose on six of the lines; what costs more is declined by silence.
  const lines = sales.locator("#lines tbody tr[data-ordered]");
  await expect(lines).toHaveCount(LINES);
  const other = (await lines.nth(1).locator("th .second").textContent()) ?? "";
  const silent = { "without an answer": "accept" };
  await propose(lines.nth(3), "Fewer now", { now: "4", ...silent });
  await propose(lines.nth(7), "Fewer, rest later", {
    now: "6",
    "rest expected": "2031-01-15",
    ...silent,
  });
  await propose(lines.nth(12), "Substitute", {
    product: other.trim(),
    pieces: "3",
    "at $": "0.77",
  });
  await propose(lines.nth(13), "Other price", {
    "at $": "0.55",
    because: "Short-dated",
    ...silent,
  });
  await propose(lines.nth(30), "Other price", {
    "at $": "999.50",
    because: "The maker's price rose",
  });
  await lines
    .nth(39)
    .getByLabel(/^Confirm/)
    .focus();
  await sales.keyboard.press("p");
  await lines
    .nth(39)
    .getByLabel(/^Confirm/)
    .fill("0");
  await expect(sales.locator("#ctrl-enter")).toHaveText("send");
  await checkEverywhere(sales);
  const send = sales.getByRole("button", { name: /^Send 6 proposals to / });
  await send.click();
  await expect(send).toHaveCount(0); // the sheet has the same heading: they are sent once it is left
  await expect(sales.getByRole("heading", { name: code })).toBeVisible();
  await openSheet(sales, code);
  await expect(sales.getByRole("button", { name: /^Confirm the order/ })).toBeDisabled();
  await expect(sales.getByText("6 proposals wait for the buyer's answer")).toBeVisible();
  await checkAccessible(sales);

  // The buyer reads the mail, and answers from the order.
  const mail = () =>
    mailsTo("free@demo.test").find((one) => one.subject === `Proposals need your answer: ${code}`);
  sweep("mails");
  // The file is there before all of it is written.
  const text = () => mail()?.text ?? "";
  await expect.poll(text, { timeout: 60_000 }).toContain(`${code}&proposals=1`);
  const buyer = await openPage(browser, problems, { viewport: SIZES[1][1], hasTouch: true });
  await signInAt(buyer, `/invoice/0?invoice_code=${code}`, "free");
  await expect(buyer.getByText("6 proposals need your answer")).toBeVisible();
  await expect(buyer.getByText("6 answers needed")).toBeVisible();
  const first = buyer.getByRole("region", { name: "Products" }).getByRole("listitem").first();
  await expect(first).toContainText("Proposed: 4 now,");
  await checkAccessible(buyer);
  let taps = 0;
  const tap = async (place: Locator) => {
    await place.tap();
    taps += 1;
  };
  await tap(buyer.getByRole("region", { name: "Next step" }).getByText("Answer", { exact: true }));
  const rows = buyer.getByRole("region", { name: "The seller’s proposals" }).getByRole("listitem");
  await expect(rows).toHaveCount(6);
  await tap(buyer.getByRole("button", { name: /^Accept all that cost no more/ }));
  await tap(rows.nth(4).getByRole("radio", { name: "Decline" }));
  await expect(buyer.getByText("6 of 6").filter({ visible: true })).toBeVisible();

  // The new total is the old one with the differences of the rows.
  const figure = (label: string) =>
    buyer
      .getByRole("region", { name: "New total" })
      .locator("div", { hasText: label })
      .locator("dd");
  const before = await money(figure("Order as it stands"));
  const changes = await Promise.all(
    [0, 1, 2, 3, 5].map((at) => money(rows.nth(at).locator("dt:text('Difference') + dd"))),
  );
  const dropped = await money(rows.nth(4).getByText(/Declined: the line is dropped/));
  const cents = (sum: number) => Math.round(sum * 100) / 100;
  const after = cents(changes.reduce((sum, change) => sum + change, before + dropped));
  await expect.poll(() => money(figure("New total, goods"))).toBe(after);
  await checkEverywhere(buyer);
  await tap(buyer.getByRole("button", { name: "Send 6 answers" }).filter({ visible: true }));
  const dialog = buyer.getByRole("dialog");
  await expect(dialog).toContainText("5 accepted");
  await expect
    .poll(() => money(dialog.locator("div", { hasText: "New total, goods" }).last().locator("dd")))
    .toBe(after);
  await checkAccessible(buyer);
  await tap(dialog.getByRole("button", { name: "Send 6 answers" }));
  await expect(buyer.getByText("all are decided")).toBeVisible();
  expect(taps).toBeLessThanOrEqual(MOST_TAPS);
  expect(await money(figure("Order as it stands"))).toBe(after);
  await checkAccessible(buyer);

  // Sales see the answers, confirm what is agreed, and the buyer owes just that.
  await sales.reload();
  await expect(sales.getByText("all are decided")).toBeVisible();
  await expect(sales.locator(".answers .tag", { hasText: "Accepted" })).toHaveCount(5);
  await expect(sales.locator(".answers .tag", { hasText: "Declined" })).toHaveCount(1);
  await checkAccessible(sales);
  await sales.getByLabel(/Shipping fee/).fill("10.00");
  await sales.getByRole("button", { name: "Confirm the order and mail the buyer" }).click();
  await expect(sales.getByRole("heading", { name: code, exact: true })).toBeVisible();
  await buyer.goto(`/invoice/0?invoice_code=${code}`);
  const totals = buyer.getByRole("region", { name: "Totals" });
  const total = (after + 10).toLocaleString("en", { minimumFractionDigits: 2 });
  await expect(totals).toContainText(`$${total}`);
  expect(problems).toEqual([]);
});
