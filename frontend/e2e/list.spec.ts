import { readFileSync } from "node:fs";
import { emptyBasket, signInBuyer } from "./demo";
import { checkAccessible, openPage, pressAction, SIZES } from "./pages";
import { inPortal } from "./portal";
import { expect, type Page, test } from "./test";

test.beforeEach(({ request }) => emptyBasket(request));

const ZEROS = "00410275";

/** Fills in the price list as a buyer does in a spreadsheet, and writes down what the basket must come to. */
const FILL_IN = `
import openpyxl
book = openpyxl.load_workbook(data["list"])
sheet = book.active
head = {cell.value: cell.column for cell in sheet[2]}
rows = [row for row in range(3, sheet.max_row + 1)
        if sheet.cell(row, head["Availability"]).value == "On sale"
        and sheet.cell(row, head["Step"]).value > 1
        and sheet.cell(row, head["Stock"]).value >= 10 * sheet.cell(row, head["MOQ"]).value]
zeros = next(row for row in rows if sheet.cell(row, head["SKU"]).value == "${ZEROS}")
fine, below, between, short = [row for row in rows if row != zeros][:4]

def of(row, title):
    return sheet.cell(row, head[title])

def order(row, count):
    of(row, "Order qty").value = count

expected = {}
order(fine, 2 * of(fine, "MOQ").value)
expected[fine] = 2 * of(fine, "MOQ").value
order(below, 1)
expected[below] = of(below, "MOQ").value
order(between, of(between, "MOQ").value + 1)
expected[between] = 2 * of(between, "MOQ").value
order(short, of(short, "Stock").value + 10 * of(short, "MOQ").value)
expected[short] = of(short, "Stock").value // of(short, "Step").value * of(short, "Step").value
order(zeros, of(zeros, "MOQ").value)
expected[zeros] = of(zeros, "MOQ").value
of(zeros, "SKU").value = int("${ZEROS}")
unknown = sheet.max_row + 1
sheet.cell(unknown, head["SKU"]).value = "NO-SUCH-SKU"
order(unknown, 10)
total = sum(round(of(row, "Wholesale ($)").value * 100) * count for row, count in expected.items())
# A price that the buyer was told earlier.
of(fine, "Wholesale ($)").value += 1
book.save(data["list"])
open(data["out"], "w").write(f"{total / 100:,.2f}")
`;

/** Drops a file on the page, as from a folder of the desktop. */
async function drop(page: Page, path: string) {
  const dataTransfer = await page.evaluateHandle((content) => {
    const bytes = Uint8Array.from(atob(content), (char) => char.charCodeAt(0));
    const transfer = new DataTransfer();
    transfer.items.add(new File([bytes], "Price_List.xlsx"));
    return transfer;
  }, readFileSync(path).toString("base64"));
  await page.dispatchEvent("main", "dragover", { dataTransfer });
  await expect(page.getByText("Drop your list here")).toBeVisible();
  await page.dispatchEvent("main", "drop", { dataTransfer });
  await expect(page.getByText("Drop your list here")).toBeHidden();
}

/** Puts the lines into the basket; what another run left there is asked about first. */
async function put(page: Page, lines: string) {
  const popup = page.getByRole("dialog", { name: "Order from a list" });
  await popup.getByRole("button", { name: `Put ${lines} into the basket` }).click();
  const replace = popup.getByRole("button", { name: "Replace them" });
  const done = page.getByRole("dialog", { name: /the basket$/ });
  await expect(replace.or(done)).toBeVisible();
  if (await replace.isVisible()) await replace.click();
  return done;
}

for (const [name, viewport] of SIZES) {
  test(`the price list is filled in, dropped, put right and in the basket (${name})`, async ({
    browser,
  }, info) => {
    const problems: string[] = [];
    const page = await openPage(browser, problems, { viewport });
    const orders: string[] = [];
    page.on("request", (request) => request.url().includes("/temp-order") && orders.push("one"));
    await signInBuyer(page);

    const download = page.waitForEvent("download");
    await pressAction(page, "Price list");
    const list = info.outputPath("Price_List.xlsx");
    const out = info.outputPath("total.txt");
    await (await download).saveAs(list);
    inPortal(FILL_IN, { list, out });

    await drop(page, list);
    const popup = page.getByRole("dialog", { name: "Order from a list" });
    await expect(popup.getByText("5 lines need an answer first.")).toBeVisible();
    await checkAccessible(page);
    const kinds = popup.getByRole("list", { name: "Kinds of problems" });
    await expect(kinds.getByRole("listitem")).toHaveCount(5);

    // One by one, and all of a kind; the list is in hand whatever becomes of the page.
    await page.goBack();
    await expect(popup).toBeHidden();
    await pressAction(page, "Order from a list");
    await expect(popup.getByText(/is not in the basket yet/)).toBeVisible();
    await checkAccessible(page);
    await page.reload();
    await popup.getByRole("button", { name: "Go on checking" }).click();
    await expect(popup.getByText("5 lines need an answer first.")).toBeVisible();
    for (const kind of ["Skip all", "Change to what there is", "Change to the MOQ", "Round"]) {
      await kinds.getByRole("button", { name: new RegExp(`^${kind}`) }).click();
    }
    await kinds.getByRole("button", { name: /^Accept the prices/ }).click();
    await expect(popup.getByText("5 lines ready")).toBeVisible();
    const done = await put(page, "5 lines");
    await expect(done.getByText("Subtotal")).toBeVisible();
    await checkAccessible(page);
    const back = page.waitForEvent("download");
    await done.getByRole("button", { name: "Download your sheet" }).click();
    expect((await back).suggestedFilename()).toBe("Price_List.xlsx");
    await done.getByRole("button", { name: "To the basket" }).click();
    await expect(done).toBeHidden();

    const total = `$${readFileSync(out, "utf8")}`;
    await expect(page.getByText(total, { exact: true }).filter({ visible: true })).toBeVisible();
    await page.reload();
    await expect(page.getByText(total, { exact: true }).filter({ visible: true })).toBeVisible();
    expect(orders).toEqual([]);
    expect(problems).toEqual([]);
  });
}

/** A buyer's sheet: two quantities and a former order's tab, a filter that hides two of its rows, a total. */
const ASKED = `
import openpyxl
from apps.catalog.models import Product, Running
many = Product.objects.filter(is_running=Running.ON_SALE, stock__on_hand__gte=1000, stock__allocated=0)
one, two, three, four = many.order_by("sku")[:4]
book = openpyxl.Workbook()
rows = [["Order of November"], ["SKU", "Product", "Store A", "Store B"]]
rows += [[product.sku, product.eng_name, 10 * product.minimum, 20 * product.minimum]
         for product in (one, two, three)]
rows += [[four.sku, four.eng_name, None, None], [None, "Total", 90, 180]]
for row in rows:
    book.active.append(row)
for row in (4, 5):
    book.active.row_dimensions[row].hidden = True
book.create_sheet("October").append(["SKU", "Qty"])
book["October"].append([four.sku, 10])
book.save(data["list"])
`;

for (const [name, viewport] of SIZES) {
  test(`a sheet is asked its columns once, what it hides and passes over is shown (${name})`, async ({
    browser,
  }, info) => {
    const problems: string[] = [];
    const page = await openPage(browser, problems, { viewport });
    await signInBuyer(page);
    const list = info.outputPath("Kelp-order.xlsx");
    inPortal(ASKED, { list });
    await drop(page, list);
    const sheet = page.getByRole("dialog", { name: "Your sheet" });
    // What was answered once is not asked again: of the second sheet nothing.
    if (name === "desktop") {
      await expect(sheet.getByText("Which column holds the quantity?")).toBeVisible();
      await expect(sheet.getByLabel("Tab")).toBeVisible();
      await checkAccessible(page);
      await sheet.getByRole("button", { name: "Store A" }).click();
      await sheet.getByRole("button", { name: "Check list" }).click();
    }

    const popup = page.getByRole("dialog", { name: "Order from a list" });
    await expect(popup.getByText("2 lines need an answer first.")).toBeVisible();
    await popup.getByRole("radio", { name: /^Passed over/ }).check({ force: true });
    await expect(popup.getByText("A total.")).toBeVisible();
    await checkAccessible(page);
    await popup.getByRole("radio", { name: /^To answer/ }).check({ force: true });
    await popup.getByRole("button", { name: "Skip them" }).click();
    await expect(popup.getByText("1 line ready")).toBeVisible();
    expect(problems).toEqual([]);
  });

  test(`what is pasted is kept, and no row of it is lost (${name})`, async ({ browser }) => {
    const problems: string[] = [];
    const page = await openPage(browser, problems, { viewport });
    await signInBuyer(page);
    await pressAction(page, "Order from a list");
    const popup = page.getByRole("dialog", { name: "Order from a list" });
    const field = popup.getByLabel("Or paste a list");
    await field.fill(`Dear all,\n${ZEROS} 480\nsun stick 20\n${ZEROS} minus 10`);
    await checkAccessible(page);
    await page.keyboard.press("Escape");
    await expect(popup).toBeHidden();
    await pressAction(page, "Order from a list");
    await page.reload();
    await expect(field).toHaveValue(/sun stick 20/);
    await popup.getByRole("button", { name: "Check list" }).click();
    await expect(popup.getByText("2 lines need an answer first.")).toBeVisible();
    await checkAccessible(page);
    await popup
      .getByRole("checkbox", { name: /^Remember/ })
      .first()
      .uncheck();
    await popup
      .getByLabel(/^Which product is/)
      .first()
      .focus();
    await popup.getByRole("button", { name: "Choose Mineral Shade Sun Stick" }).first().click();
    await popup.getByLabel(/^Pieces of Pink Clay/).fill("480");
    await popup.getByRole("button", { name: "Apply" }).click();
    await expect(popup.getByText("2 lines ready")).toBeVisible();
    await popup.getByRole("radio", { name: /^Passed over/ }).check({ force: true });
    await expect(popup.getByText("Dear all,")).toBeVisible();
    await put(page, "2 lines");
    await expect(page.getByText("2 products put into the basket")).toBeVisible();
    expect(problems).toEqual([]);
  });
}

test("a file that is no list is refused in place", async ({ browser }, info) => {
  const page = await openPage(browser, []);
  await signInBuyer(page);
  await pressAction(page, "Order from a list");
  const popup = page.getByRole("dialog", { name: "Order from a list" });
  await popup.locator("input[type=file]").setInputFiles({
    name: "list.xlsx",
    mimeType: "application/octet-stream",
    buffer: Buffer.from("This is no workbook."),
  });
  await expect(popup.getByRole("alert")).toContainText("This workbook cannot be read");
  await checkAccessible(page);
  await page.keyboard.press("Escape");
  await expect(popup).toBeHidden();
  await expect(page.getByRole("button", { name: "Order from a list" })).toBeFocused();
  expect(info.errors).toEqual([]);
});
