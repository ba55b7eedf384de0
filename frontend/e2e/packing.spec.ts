import { signInAt } from "./demo";
import { checkAccessible, openPage, paste } from "./pages";
import { expect, test } from "./test";

test("the packing sheet: keys, sixty pasted rows, an unreadable cell that stays, input that survives a reload", async ({
  browser,
}) => {
  const problems: string[] = [];
  const page = await openPage(browser, problems, { viewport: { width: 1440, height: 900 } });
  page.on("dialog", (dialog) => dialog.accept());
  await signInAt(page, "/admin/orders/order/?status=3", "sales");
  await page.locator("#result_list tbody th a").first().click();
  await page.getByRole("link", { name: "Packing sheet" }).click();
  await expect(page.getByRole("heading", { name: /^Pack / })).toBeVisible();
  // The demo's orders are packed; one that a run before this one opened again still is being edited.
  const again = page.getByRole("button", { name: "Edit again" });
  if (await again.isVisible()) await again.click();
  const rows = page.getByRole("table", { name: "Boxes and what is in them" }).locator("tbody tr");
  const cell = (name: string | RegExp) =>
    page.getByLabel(name, { exact: typeof name === "string" });
  await expect(cell("kg each, box 1")).toBeFocused();

  // B begins a box at a row, D gives it the sizes of the box above; B again takes a fresh one back.
  const before = await rows.filter({ has: page.locator("input.kg") }).count();
  const boxes = () => rows.filter({ has: page.locator("input.kg") });
  await rows.nth(1).locator("input.pieces").focus();
  await page.keyboard.press("b");
  await expect(boxes()).toHaveCount(before + 1);
  await page.keyboard.press("d");
  await expect(cell("Length, box 2")).toHaveValue(await cell("Length, box 1").inputValue());
  await rows.nth(2).locator("input.pieces").focus();
  await page.keyboard.press("b");
  await page.keyboard.press("b");
  await expect(boxes()).toHaveCount(before + 1);

  // Sixty rows with the product's name between: three to a box, one weight that nobody can read.
  const skus = await page.locator("#compared-rows tbody th").allTextContents();
  const pasted = Array.from({ length: 60 }, (_, at) => {
    const box =
      at % 3 ? ["", "", "", "", ""] : ["1", at === 9 ? "heavy" : "14,2", "52", "40", "34"];
    return [...box, skus[at % skus.length] ?? "", "A name", "5"];
  });
  await paste(cell("Count, box 1"), pasted);
  await expect(page.getByText("60 rows pasted.")).toBeVisible();
  await expect(page.getByText("1 cell cannot be read.").first()).toBeVisible();
  await expect(cell("kg each, box 4")).toHaveValue("heavy");
  await expect(cell("kg each, box 4")).toHaveAttribute("aria-invalid", "true");
  await expect(page.getByRole("button", { name: "Packing complete" })).toBeDisabled();
  await checkAccessible(page);

  // The server says the same and keeps the cell; what is not saved is there after a reload.
  await page.getByRole("button", { name: "Save" }).click();
  await page.getByRole("link", { name: "Row 10, kg each: “heavy” is not a number." }).click();
  await cell("kg each, box 4").fill("14.3");
  await page.getByLabel("Remarks").fill("Keep upright");
  await page.goto(page.url().replace(/#.*/, ""));
  await expect(page.getByText(/^Restored what you typed at/)).toBeVisible();
  await expect(cell("kg each, box 4")).toHaveValue("14.3");
  await page.getByRole("button", { name: "Save" }).click();
  await expect(page.getByText(/: Packing saved\./)).toBeVisible();
  await expect(page.getByLabel("Remarks")).toHaveValue("Keep upright");
  await expect(page.getByText("Being edited")).toBeVisible();
  expect(problems).toEqual([]);
});
