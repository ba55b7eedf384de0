import { signInHere } from "./demo";
import { checkEverywhere, openPage } from "./pages";
import { expect, test } from "./test";

test("the theme follows the system, is chosen in the menu and comes with the page", async ({
  browser,
}) => {
  const problems: string[] = [];
  const page = await openPage(browser, problems, { colorScheme: "dark" });
  const ground = () => page.evaluate("getComputedStyle(document.body).backgroundColor");
  const [dark, light] = ["rgb(19, 18, 17)", "rgb(246, 245, 242)"];
  await page.goto("/login");
  expect(await ground()).toBe(dark);
  await signInHere(page);
  await expect(page.getByRole("heading", { name: "Dash board" })).toBeVisible();

  await page.getByRole("button", { name: "Nordlicht Beauty GmbH" }).click();
  await expect(page.getByRole("menuitemradio", { name: "System" })).toBeChecked();
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

test("the sign-in leads to the page asked for, where what is due moves nothing, and none has a fault", async ({
  page,
}) => {
  await page.goto("/dashboard?from=mail");
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  await checkEverywhere(page);
  const top = () =>
    page.locator("#order-amount").evaluate((head) => head.getBoundingClientRect().top);
  let before = 0;
  await page.route("**/api/dashboard/due/*", async (route) => {
    before = await top();
    await route.continue();
  });
  await signInHere(page);
  await expect(page).toHaveURL(/\/dashboard\?from=mail$/);
  await expect(page.getByRole("link", { name: /^Pay, / }).first()).toBeVisible();
  expect(await top()).toBe(before);
  await checkEverywhere(page);
  await page.goto("/nope");
  await expect(page.getByRole("heading", { name: "Page not found." })).toBeVisible();
  await checkEverywhere(page);
});
