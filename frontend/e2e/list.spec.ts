import { emptyBasket, signInBuyer } from "./demo";
import { checkAccessible, openPage, pressAction, SIZES } from "./pages";
import { inPortal } from "./portal";
import { expect, type Page, test } from "./test";

test.beforeEach(({ request }) => emptyBasket(request));

/** Products that the demo's buyer can order a thousand of: their SKUs, names and MOQs. */
const PRODUCTS = `
from apps.catalog.models import Product, Running
many = Product.objects.filter(is_running=Running.ON_SALE, stock__on_hand__gte=1000, stock__allocated=0)
print(json.dumps(list(many.order_by("sku").values_list("sku", "eng_name", "minimum")[:4])))
`;
type Known = [sku: string, name: string, minimum: number];
let products: Known[] = [];
test.beforeAll(() => {
  products = JSON.parse(inPortal(PRODUCTS));
});

const product = (place: number): Known => products[place] ?? ["", "", 0];
/** A word of letters that no sheet of a former run has: what was answered for a layout is not asked again. */
const newWord = () => [...`${Date.now()}`].map((digit) => "abcdefghij"[Number(digit)]).join("");

async function sendFile(page: Page, name: string, rows: readonly (readonly unknown[])[]) {
  await pressAction(page, "Order from a list");
  const popup = page.getByRole("dialog", { name: "Order from a list" });
  const text = rows.map((row) => row.join(";")).join("\n");
  const file = { name, mimeType: "text/csv", buffer: Buffer.from(text) };
  await popup.locator("input[type=file]").setInputFiles(file);
  return popup;
}

/** Controls in a dialog that a thumb misses. */
const tooSmall = (page: Page) =>
  page.evaluate(() =>
    [...document.querySelectorAll("[role=dialog] :is(button, input, select, textarea, a)")]
      .map((control) => control.closest("label") ?? control)
      .map((control) => ({ box: control.getBoundingClientRect(), text: control.textContent }))
      .filter(({ box }) => box.width > 0 && (box.height < 43.5 || box.width < 43.5))
      .map(({ box, text }) => `${text} ${box.width} × ${box.height}`),
  );

test("a sheet asks which column it orders once, the next one of its kind nothing", async ({
  browser,
}) => {
  const problems: string[] = [];
  const page = await openPage(browser, problems);
  await signInBuyer(page);
  const [one, , moq] = product(0);
  const [two, , step] = product(1);
  const shop = newWord();
  const headings = ["SKU", `${shop} Nord`, `${shop} West`];
  const popup = await sendFile(page, "Bestellung.csv", [
    headings,
    [one, moq, 20 * moq],
    [two, step, 1],
    ["NO-SUCH-SKU", 5, 10],
  ]);

  const sheet = page.getByRole("dialog", { name: "Your sheet" });
  await expect(sheet.getByText("Which column holds the quantity?")).toBeVisible();
  await checkAccessible(page);
  await sheet.getByRole("button", { name: new RegExp(`^${shop} West: `) }).press("Enter");
  await sheet.getByRole("button", { name: "Check list" }).press("Enter");

  await expect(popup.getByText("2 lines need an answer first.")).toBeVisible();
  await checkAccessible(page);
  const kinds = popup.getByRole("list", { name: "Kinds of problems" });
  await kinds.getByRole("button", { name: "Skip all: Unknown SKU" }).press("Enter");
  await kinds.getByRole("button", { name: "Change to the MOQ: Below the MOQ" }).press("Enter");
  await expect(popup.getByText("2 lines ready")).toBeVisible();
  await popup.getByRole("button", { name: "Put 2 lines into the basket" }).press("Enter");
  const done = page.getByRole("dialog", { name: "2 lines are in the basket" });
  const back = page.waitForEvent("download");
  await done.getByRole("button", { name: "Download your sheet" }).click();
  expect((await back).suggestedFilename()).toBe("Bestellung.csv");
  await done.getByRole("button", { name: "To the basket" }).click();
  await expect(page.getByRole("spinbutton", { name: /^Quantity/ })).toHaveCount(2);

  await sendFile(page, "Bestellung 2.csv", [headings, [one, moq, 10 * moq]]);
  await expect(popup.getByText("1 line ready")).toBeVisible();
  await expect(sheet).toBeHidden();
  expect(problems).toEqual([]);
});

test("on a phone each question of a sheet can be answered by thumb", async ({ browser }) => {
  const problems: string[] = [];
  const page = await openPage(browser, problems, { viewport: SIZES[1][1] });
  await signInBuyer(page);
  const [one, , moq] = product(0);
  const [two] = product(1);
  const shop = newWord();
  const popup = await sendFile(page, "Shops.csv", [
    ["SKU", ...["Nord", "Ost", "West"].map((name) => `${shop} ${name}`)],
    [one, moq, moq, 2 * moq],
    [two, "about 20", "", ""],
    ["Total", moq, moq, 2 * moq],
  ]);
  const sheet = page.getByRole("dialog", { name: "Your sheet" });
  await expect(sheet.getByText(/This looks like a table/)).toBeVisible();
  expect(await tooSmall(page)).toEqual([]);
  await checkAccessible(page);
  await sheet.getByRole("button", { name: /^All 3 added up/ }).click();
  await sheet.getByRole("button", { name: "Check list" }).click();

  await expect(popup.getByText("1 line needs an answer first.")).toBeVisible();
  expect(await tooSmall(page)).toEqual([]);
  await popup
    .getByRole("button", { name: /^Skip / })
    .first()
    .click();
  await popup.getByRole("radio", { name: "Not read (2)" }).check({ force: true });
  await expect(popup.getByText("A total.")).toBeVisible();
  await checkAccessible(page);
  await popup.getByRole("button", { name: "Put 1 line into the basket" }).click();
  await expect(page.getByRole("dialog", { name: "1 line is in the basket" })).toBeVisible();
  expect(await tooSmall(page)).toEqual([]);
  expect(problems).toEqual([]);
});
