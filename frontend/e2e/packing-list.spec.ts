import { readFile } from "node:fs/promises";
import type { components } from "../src/api/schema.gen";
import { signInAt } from "./demo";
import { openPage } from "./pages";
import { pagesOf } from "./portal";
import { type Browser, type BrowserContextOptions, expect, type Page, test } from "./test";

/** Opens a shipped order of the demo buyer, and its packing list. */
async function openPackingList(page: Page) {
  await signInAt(page, "/invoice/5");
  const orders = page.getByRole("region", { name: "Orders" });
  await orders.getByRole("link").first().click();
  await page.getByRole("button", { name: "P/L" }).click();
  const view = page.getByRole("dialog", { name: "PACKING LIST" });
  await expect(view.getByRole("table")).toBeVisible();
  return view;
}

async function openAt(browser: Browser, options: BrowserContextOptions = {}) {
  const problems: string[] = [];
  const page = await openPage(browser, problems, options);
  return { page, problems };
}

test("the packing list on the screen, on paper and as PDF say the same", async ({ browser }) => {
  const { page, problems } = await openAt(browser);
  const view = await openPackingList(page);
  const total = view.getByRole("row", { name: /^Total/ }).locator("th, td");
  const totals = (await total.allTextContents()).filter(Boolean).join(" ");
  expect(totals).toMatch(/^Total \d+ box(es)? [\d,]+ [\d,]+\.\d+ \d+\.\d+$/);
  const code = (await view.getByText(/^MHW-\d+-\d+$/).textContent()) ?? "";

  const downloading = page.waitForEvent("download");
  await view.getByRole("link", { name: "PDF Download" }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toBe(`Packing_List_${code}.pdf`);
  const file = pagesOf(await readFile(await download.path())).join(" ");
  const printed = pagesOf(await page.pdf({ format: "A4" })).join(" ");
  for (const words of [file, printed]) {
    expect(words.split(totals)).toHaveLength(2);
    expect(words).toContain(code);
    expect(words).toContain("NOTIFY PARTY Same as consignee");
  }
  expect(printed).not.toContain("Order Information");

  // It is still open after the printing, and Cancel leads back to its button.
  await view.getByRole("button", { name: "Cancel" }).click();
  await expect(view).toHaveCount(0);
  await expect(page.getByRole("button", { name: "P/L" })).toBeFocused();
  expect(pagesOf(await page.pdf()).join(" ")).toContain("Order Details");
  expect(problems).toEqual([]);
});

test("many boxes print on A4 and Letter: the head on each page, the totals once, no box split", async ({
  browser,
}) => {
  const { page } = await openAt(browser);
  await page.route("**/api/details/*", async (route) => {
    const answer = await route.fetch();
    await route.fulfill({ json: { ...(await answer.json()), ...boxes(60) } });
  });
  await openPackingList(page);
  for (const format of ["A4", "Letter"]) {
    const pages = pagesOf(await page.pdf({ format }));
    expect(pages.length).toBeGreaterThan(3);
    pages.forEach((text, index) => {
      expect(text).toContain("BOX DESCRIPTION OF GOODS QTY GROSS WEIGHT (KG) L × W × H (CM) CBM");
      expect(text).toContain(`${index + 1} / ${pages.length}`);
      const whole = (text.match(/No\. \d+/g) ?? []).length;
      expect(text.match(/First of a box/g)).toHaveLength(whole);
      expect(text.match(/Last of a box/g)).toHaveLength(whole);
    });
    expect(pages.filter((text) => text.includes("Total 60 boxes 1,800 600.000 4.260"))).toEqual([
      pages.at(-1),
    ]);
  }
});

type Packing = Pick<
  components["schemas"]["OrderDetails"],
  "box" | "boxProduct" | "packint_qty_total" | "packint_weight_total" | "packint_cbm_total"
>;

/** Boxes of ten kilograms with three products each. */
function boxes(number: number): Packing {
  const ids = Array.from({ length: number }, (_, index) => index + 1);
  const names = ["First of a box", "Hinoki Hair & Body Oil 50 ml", "Last of a box"];
  return {
    box: ids.map((box_id) => {
      return { box_id, count: 1, weight: 10_000, length: 52, width: 40, height: 34, cbm: 0.071 };
    }),
    boxProduct: ids.flatMap((box_id) =>
      names.map((eng_name, index) => {
        return { box_id, eng_name, qty: 10, packing_id: 3 * box_id + index };
      }),
    ),
    packint_qty_total: number * 30,
    packint_weight_total: number * 10_000,
    packint_cbm_total: number * 0.071,
  };
}
