import { emptyBasket } from "./demo";
import { openPage } from "./pages";
import { expect, type Page, test } from "./test";

test.beforeEach(({ request }) => emptyBasket(request));

const MOST_KEYS = 40;

/** Presses keys, one after another, and counts them; what is typed into a field is not counted. */
function counting(page: Page) {
  const pressed: string[] = [];
  return {
    pressed,
    press: async (...keys: string[]) => {
      for (const key of keys) {
        pressed.push(key);
        await page.keyboard.press(key);
      }
    },
    type: (text: string) => page.keyboard.type(text),
  };
}

/** The order screen's product of this name has the focus in its pieces. */
const pieces = (page: Page, name: RegExp) => page.getByRole("spinbutton", { name });

test("an order goes from sign-in to its deposit by keys alone, 40 of them at most", async ({
  browser,
}) => {
  const problems: string[] = [];
  const page = await openPage(browser, problems);
  const { press, type, pressed } = counting(page);
  await page.goto("/order");
  await expect(page.getByLabel("Email")).toBeVisible();
  const isThere = (label: string) =>
    page.getByLabel(label).evaluate((field) => field === document.activeElement);
  for (let tabs = 0; tabs < 9 && !(await isThere("Email")); tabs += 1) await press("Tab");
  await type("buyer@demo.test");
  await press("Tab");
  await type("demo-buyer-1");
  await press("Enter");
  await expect(page.getByRole("heading", { name: "Product order" })).toBeVisible();
  await expect(page.locator("[aria-posinset]").first()).toBeVisible();
  await page.waitForLoadState("networkidle"); // the shortcuts are a file of their own

  // Two products, each searched for.
  for (const [search, count] of [
    ["barrier bloom", "20"],
    ["sun fluid", "25"],
  ] as const) {
    await press("s");
    await expect(page.getByRole("combobox", { name: /Search product/ })).toBeFocused();
    await press("Control+a");
    await type(search);
    await press("Enter");
    await expect(pieces(page, new RegExp(`^Pieces of .*${search}`, "i")).first()).toBeFocused();
    await type(count);
    await press("Enter");
  }
  const held = () => page.evaluate(() => JSON.parse(localStorage.getItem("basket") ?? "[]"));
  expect(await held()).toHaveLength(2);

  await press("Control+Enter");
  await expect(page.getByRole("button", { name: "Confirm", exact: true })).toBeFocused();
  await press("Enter");
  await expect(page).toHaveURL(/\/order\/checkout-deposit\/.+/);
  await expect(page.getByLabel("Account Name")).toBeVisible();
  for (let tabs = 0; tabs < 40 && !(await isThere("Account Name")); tabs += 1) await press("Tab");
  await type("Nordlicht Beauty");
  await press("Enter");
  await expect(page).toHaveURL(/\/invoice\/1\?invoice_code=/);
  expect(pressed.length, pressed.join(" ")).toBeLessThanOrEqual(MOST_KEYS);
  expect(problems).toEqual([]);
});
