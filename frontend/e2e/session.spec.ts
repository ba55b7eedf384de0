import { signInHere } from "./demo";
import { checkAccessible, openPage } from "./pages";
import { expect, test } from "./test";

test("a buyer signs in to the page asked for, searches, and logs out", async ({ page }) => {
  const problems: string[] = [];
  page.on("pageerror", (error) => problems.push(error.message));
  page.on("console", (message) => {
    if (message.type() === "error") problems.push(message.text());
  });

  await page.goto("/dashboard?from=mail");
  await expect(page).toHaveURL(/\/login$/);
  await signInHere(page);
  await expect(page).toHaveURL(/\/dashboard\?from=mail$/);
  await expect(page.getByRole("heading", { name: "Dash board" })).toBeFocused();
  await expect(page.getByRole("link", { name: /^Shipment Completed \d+$/ })).toBeVisible();

  const search = page.getByRole("searchbox", { name: "Invoice Number" });
  await page.keyboard.press("/");
  await expect(search).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alertdialog")).toContainText("Please enter your Invoice Number.");
  await page.getByRole("button", { name: "OK" }).click();
  await expect(search).toBeFocused();
  await page.keyboard.type("no such number");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("alertdialog")).toContainText("Invoice Number does not exist.");
  await page.keyboard.press("Escape");

  await page.reload();
  await expect(page.getByRole("heading", { name: "Dash board" })).toBeVisible();
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  expect(await page.evaluate(() => localStorage.length)).toBe(0);
  expect(problems).toEqual([]);
});

test("the theme follows the system, is chosen in the menu and comes with the page", async ({
  browser,
}) => {
  const problems: string[] = [];
  const page = await openPage(browser, problems, { colorScheme: "dark" });
  const ground = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
  const [dark, light] = ["rgb(19, 18, 17)", "rgb(246, 245, 242)"];
  await page.goto("/login");
  expect(await ground()).toBe(dark);
  await checkAccessible(page);
  await signInHere(page);
  await expect(page.getByRole("heading", { name: "Dash board" })).toBeVisible();
  await checkAccessible(page);

  await page.getByRole("button", { name: "Nordlicht Beauty GmbH" }).click();
  await expect(page.getByRole("menuitemradio", { name: "System" })).toBeChecked();
  await checkAccessible(page);
  await page.getByRole("menuitemradio", { name: "Light" }).click();
  expect(await ground()).toBe(light);
  // Tab leaves the menu for what follows its button.
  await page.keyboard.press("Tab");
  await expect(page.getByRole("menu")).toHaveCount(0);
  await expect(page.getByRole("button", { name: "Logout" })).toBeFocused();

  // The page itself has it, before any script.
  const answer = await page.reload();
  expect(await answer?.text()).toContain('<html lang="en" data-theme="light">');
  expect(await ground()).toBe(light);
  await page.getByRole("button", { name: "Nordlicht Beauty GmbH" }).click();
  await page.getByRole("menuitemradio", { name: "Dark" }).click();
  expect(await ground()).toBe(dark);
  await page.keyboard.press("Escape");

  // It is the browser's, not the session's.
  await page.getByRole("button", { name: "Logout" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await page.emulateMedia({ colorScheme: "light" });
  await page.reload();
  expect(await ground()).toBe(dark);
  expect(problems).toEqual([]);
});

for (const [name, viewport] of [
  ["desktop", { width: 1440, height: 900 }],
  ["phone", { width: 390, height: 844 }],
] as const) {
  test(`sign-in, dashboard and Page not found are accessible on a ${name}`, async ({ page }) => {
    await page.setViewportSize(viewport);
    const check = async (heading: string) => {
      await expect(page.getByRole("heading", { name: heading })).toBeVisible();
      await checkAccessible(page);
    };
    await page.goto("/login");
    await check("Sign in");
    await signInHere(page);
    await check("Dash board");
    await page.goto("/nope");
    await check("Page not found.");
  });
}
