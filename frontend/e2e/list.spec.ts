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

/** Loads the page again, and returns the names of the lists in hand. */
async function namesAfterReload(page: Page): Promise<string[]> {
  await page.reload({ waitUntil: "commit" }); // what was still asked of the page before has no body any more
  const { lists } = await (await page.waitForResponse("**/api/basket/lists")).json();
  return lists.map(({ name }: { name: string }) => name);
}

for (const [name, viewport] of SIZES) {
  test(`a message becomes a checked list, and asks what is not sure (${name})`, async ({
    browser,
  }) => {
    const problems: string[] = [];
    const page = await openPage(browser, problems, { viewport });
    await signInBuyer(page);
    await pressAction(page, "Order from a list");
    const popup = page.getByRole("dialog", { name: "Order from a list" });
    const text = "Hello, golden rice cream 40, the sun stick 2 boxes and a few green plum toners";
    await popup.getByLabel("Or paste a list or a message").fill(text);
    await checkAccessible(page);
    await popup.getByRole("button", { name: "Read it" }).click();
    await expect(popup.getByText("1 question", { exact: true })).toBeVisible();
    await expect(popup.getByText("1 line with problems", { exact: true })).toBeVisible();
    await checkAccessible(page);
    await popup.getByRole("button", { name: /^Next question/ }).click();
    const [first] = await popup.getByRole("button", { name: /^This one/ }).all();
    if (!first) throw new Error("no candidate");
    await expect(first).toBeFocused();
    // Nothing is chosen, and neither answer is kept for the journeys beside.
    await popup.getByRole("checkbox", { name: "Remember sun stick" }).uncheck();
    await popup.getByRole("button", { name: "This one: Mineral Shade Sun Stick" }).click();
    await expect(popup.getByText("2 lines with problems", { exact: true })).toBeVisible();
    await popup.getByLabel("Pieces of Mineral Shade Sun Stick").fill("20");
    await popup.getByRole("checkbox", { name: /^Remember 10 in a/ }).uncheck();
    await popup.getByRole("button", { name: "Enter it" }).first().click();
    await popup.getByRole("button", { name: /^Leave out Green Plum Toner/ }).click();
    await expect(popup.getByText("2 lines fine", { exact: true })).toBeVisible();
    await popup.getByRole("button", { name: "Put 2 lines into the basket" }).click();
    // What another run left in the basket is asked about first.
    const said = page.getByText("2 products put into the basket");
    const replace = popup.getByRole("button", { name: "Replace them" });
    await expect(replace.or(said)).toBeVisible();
    if (await replace.isVisible()) await replace.click();
    await expect(said).toBeVisible();
    expect(problems).toEqual([]);
  });
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
    await expect(popup.getByText("6 lines with problems", { exact: true })).toBeVisible();
    await checkAccessible(page);
    const kinds = popup.getByRole("list", { name: "Kinds of problems" });
    await expect(kinds.getByRole("listitem")).toHaveCount(6);

    // One by one, and all of a kind.
    await popup.getByRole("button", { name: `Use ${ZEROS}` }).click();
    await expect(popup.getByText("5 lines with problems", { exact: true })).toBeVisible();
    for (const kind of ["Leave all out", "Change to what there is", "Change to the MOQ", "Round"]) {
      await kinds.getByRole("button", { name: new RegExp(`^${kind}`) }).click();
    }
    await kinds.getByRole("button", { name: /^Accept the prices/ }).click();
    await expect(popup.getByText(/with problems/)).toBeHidden();
    await expect(popup.getByText("5 lines fine")).toBeVisible();
    await popup.getByRole("button", { name: "Put 5 lines into the basket" }).click();
    const done = page.getByRole("dialog", { name: "5 lines are in the basket" });
    // What another run left in the basket is asked about first.
    const replace = popup.getByRole("button", { name: "Replace them" });
    await expect(replace.or(done)).toBeVisible();
    if (await replace.isVisible()) await replace.click();
    await expect(done).toBeVisible();
    await checkAccessible(page);
    const back = page.waitForEvent("download");
    await done.getByRole("button", { name: "Download" }).click();
    expect((await back).suggestedFilename()).toBe("Price_List.xlsx");
    await done.getByRole("button", { name: "To the basket" }).click();
    await expect(done).toBeHidden();

    const total = `$${readFileSync(out, "utf8")}`;
    await expect(page.getByText(total, { exact: true }).filter({ visible: true })).toBeVisible();
    await page.reload();
    await expect(page.getByText(total, { exact: true }).filter({ visible: true })).toBeVisible();
    expect(orders).toEqual([]);

    // A second list asks what becomes of the first.
    await pressAction(page, "Order from a list");
    await popup.getByLabel("Or paste a list or a message").fill(`${ZEROS} 480`);
    await popup.getByRole("button", { name: "Read it" }).click();
    await popup.getByRole("button", { name: "Put 1 line into the basket" }).click();
    await expect(popup.getByText("There are 5 products in the basket already.")).toBeVisible();
    await checkAccessible(page);
    await popup.getByRole("button", { name: "Replace them" }).click();
    await expect(page.getByText("1 product put into the basket")).toBeVisible();
    expect(problems).toEqual([]);
  });
}

/** A buyer's sheet: a title, a filter that hides two of its rows, a code beside another's name, a total. */
const FILTERED = `
import openpyxl
from apps.catalog.models import Product, Running
def found(name):
    return Product.objects.filter(is_running=Running.ON_SALE, eng_name__startswith=name).order_by("sku").first()
cream, toner = found("Golden Rice Cream"), found("Green Plum Toner")
others = Product.objects.filter(is_running=Running.ON_SALE, stock__on_hand__gte=1000, stock__allocated=0)
one, two, three = others.exclude(pk__in=[cream.pk, toner.pk]).order_by("sku")[:3]
book = openpyxl.Workbook()
rows = [["Order of November"], ["SKU", "Product", "Qty"]]
rows += [[product.sku, product.eng_name, 10 * product.minimum] for product in (one, two, three)]
rows += [[cream.sku, toner.eng_name, 40], [toner.sku, toner.eng_name, None], [None, "Total", 90]]
for row in rows:
    book.active.append(row)
for row in (4, 5):
    book.active.row_dimensions[row].hidden = True
book.save(data["list"])
`;

for (const [name, viewport] of SIZES) {
  test(`what a sheet hides is asked once, what was passed over is shown (${name})`, async ({
    browser,
  }, info) => {
    const problems: string[] = [];
    const page = await openPage(browser, problems, { viewport });
    await signInBuyer(page);
    const list = info.outputPath("Price_List.xlsx");
    inPortal(FILTERED, { list });
    await drop(page, list);
    const popup = page.getByRole("dialog", { name: "Order from a list" });
    await expect(popup.getByText("1 question", { exact: true })).toBeVisible();
    await expect(
      popup.getByText("2 lines are hidden in your sheet: order them too?"),
    ).toBeVisible();
    await expect(popup.getByText(/^The code of this row means Golden Rice Cream/)).toBeVisible();
    await expect(popup.getByRole("button", { name: /^This one/ })).toHaveCount(2);
    await checkAccessible(page);
    await popup.getByRole("button", { name: "4 rows were passed over" }).click();
    await expect(popup.getByText("A total.")).toBeVisible();
    await checkAccessible(page);
    await popup.getByRole("button", { name: "4 rows were passed over" }).click();
    await popup.getByRole("button", { name: /^Leave them out/ }).click();
    await expect(popup.getByText("1 line fine", { exact: true })).toBeVisible();

    // What is dropped stays so when the page is left before its Undo is over.
    await page.keyboard.press("Escape");
    const drops = page.getByRole("button", { name: "Drop Price_List.xlsx" });
    const others = (await drops.count()) - 1;
    await drops.first().click();
    await expect(page.getByRole("button", { name: "Undo" })).toBeVisible();
    const left = await namesAfterReload(page);
    expect(left.filter((name) => name === "Price_List.xlsx")).toHaveLength(others);
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

/** 2,500 rows of a few products; of one there are not enough. */
const LONG = `
import openpyxl
from apps.catalog.models import Product, Running
many = Product.objects.filter(is_running=Running.ON_SALE, stock__on_hand__gte=100, stock__allocated=0)
one, two, three = many.order_by("sku")[:3]
book = openpyxl.Workbook()
book.active.append(["SKU", "Product", "Qty"])
for row in range(2497):
    book.active.append([one.sku, one.eng_name, 10 * one.minimum if row == 0 else None])
book.active.append([two.sku, two.eng_name, 1])
book.active.append(["NO-SUCH-SKU", "Something else", 10])
book.active.append([three.sku, three.eng_name, 2 * three.minimum])
book.save(data["list"])
`;

for (const [name, viewport] of SIZES) {
  test(`a long list is read while nobody waits, and its review outlives Back and a reload (${name})`, async ({
    browser,
  }, info) => {
    const problems: string[] = [];
    const page = await openPage(browser, problems, { viewport });
    await signInBuyer(page);
    const list = info.outputPath("Kelp-order.xlsx");
    inPortal(LONG, { list });
    await pressAction(page, "Order from a list");
    const popup = page.getByRole("dialog", { name: "Order from a list" });
    await popup.locator("input[type=file]").setInputFiles(list);
    await expect(popup.getByRole("progressbar", { name: "Reading your list" })).toBeVisible();
    await expect(popup.getByText("You can leave this: it waits for you here.")).toBeVisible();
    await checkAccessible(page);
    await page.goBack();
    await expect(popup).toBeHidden();
    const lists = page.getByRole("list", { name: "Lists in hand" });
    const notice = lists.getByRole("listitem").filter({ hasText: "Kelp-order.xlsx" });
    await expect(notice.getByText("ready to be checked")).toBeVisible();
    await checkAccessible(page);

    await notice.getByRole("button", { name: "Check it: Kelp-order.xlsx" }).click();
    await expect(popup.getByText("2 lines fine", { exact: true })).toBeVisible();
    await popup.getByRole("button", { name: /^Leave it out/ }).click();
    await expect(popup.getByText("1 line with problems", { exact: true })).toBeVisible();
    await page.goBack();
    await expect(popup).toBeHidden();
    await notice.getByRole("button", { name: "Go on checking: Kelp-order.xlsx" }).click();
    await expect(popup.getByText("1 line with problems", { exact: true })).toBeVisible();
    await page.reload();
    await popup
      .getByRole("button", { name: /^Change to/ })
      .first()
      .click();
    await expect(popup.getByText("3 lines fine", { exact: true })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(popup).toBeHidden();

    await notice.getByRole("button", { name: "Drop Kelp-order.xlsx" }).click();
    await expect(notice).toBeHidden();
    await page.getByRole("button", { name: "Undo" }).click();
    await notice.getByRole("button", { name: "Go on checking: Kelp-order.xlsx" }).click();
    await popup.getByRole("button", { name: "Put 3 lines into the basket" }).click();
    const done = page.getByRole("dialog", { name: "3 lines are in the basket" });
    const replace = popup.getByRole("button", { name: "Replace them" });
    await expect(replace.or(done)).toBeVisible();
    if (await replace.isVisible()) await replace.click();
    const back = page.waitForEvent("download");
    await done.getByRole("button", { name: "Download" }).click();
    expect((await back).suggestedFilename()).toBe("Kelp-order.xlsx");
    // It is used up: a reload before the dialog is closed finds nothing to put in once more.
    expect(await namesAfterReload(page)).not.toContain("Kelp-order.xlsx");
    await expect(notice).toBeHidden();
    expect(problems).toEqual([]);
  });
}
