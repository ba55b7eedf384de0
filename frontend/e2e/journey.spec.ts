import { signInStaff } from "./demo";
import { mailedLink, mailsTo } from "./mail";
import { checkAccessible, checkEverywhere, openPage } from "./pages";
import { type Browser, expect, type Page, test } from "./test";

const PASSWORD = "journey-1";

/** Asks for the link and opens the one that was mailed. */
async function openForm(page: Page, email: string): Promise<void> {
  await checkAccessible(page);
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Authentication request" }).click();
  await expectAlert(page, "Authentication mail has been sent.");
  await page.goto(await mailedLink(email, "/register/"));
  await expect(page.getByRole("textbox", { name: "E-mail" })).toHaveValue(email);
}

/** The alert says so; then it is put away. */
async function expectAlert(page: Page, text: string): Promise<void> {
  await expect(page.getByRole("alertdialog")).toContainText(text);
  await page.getByRole("button", { name: "OK" }).click();
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
}

async function signIn(page: Page, email: string) {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password").fill(PASSWORD);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** A member of staff, signed in, in a browser of their own. */
async function openAdmin(browser: Browser, problems: string[], name: string): Promise<Page> {
  const page = await openPage(browser, problems);
  await signInStaff(page, name);
  return page;
}

/** Nothing is sent while something is missing; what is right is sent with a picture of the certificate. */
async function fillForm(page: Page, name: string) {
  await page.getByRole("button", { name: "Submit" }).click();
  await expect(page.getByRole("alertdialog")).toBeVisible();
  await checkAccessible(page);
  await expectAlert(page, "Please fill in all the necessary elements");
  const password = page.getByRole("textbox", { name: "Password", exact: true });
  await expect(password).toBeFocused();
  await checkEverywhere(page);

  const company = page.getByRole("region", { name: "Company", exact: true });
  await company.getByRole("textbox", { name: "Company" }).fill(name);
  await company.getByRole("textbox", { name: "Manager" }).fill("Ines Brandt");
  await company.getByRole("textbox", { name: "Phone" }).fill("+49 30 555 01 74");
  await company.getByRole("textbox", { name: "Sales channel" }).fill("Own shops in Berlin");
  await company.getByRole("combobox", { name: "Business type" }).selectOption({ index: 1 });

  const address = page.getByRole("region", { name: "Company address" });
  await address.getByRole("combobox", { name: "Country" }).selectOption({ label: "Germany" });
  await address.getByRole("combobox", { name: "State" }).selectOption({ label: "Berlin" });
  await address.getByRole("textbox", { name: "City" }).fill("Berlin");
  await address.getByRole("textbox", { name: "Zipcode" }).fill("10115");
  await address.getByRole("textbox", { name: "Address 1" }).fill("Invalidenstr. 4");
  const shipping = page.getByRole("region", { name: "Shipping address" });
  await address.getByRole("textbox", { name: "Address 2" }).fill("2nd floor");
  await shipping.getByRole("checkbox", { name: "same as company address" }).check();
  await expect(shipping.getByRole("textbox", { name: "City" })).toHaveValue("Berlin");
  await shipping.getByRole("textbox", { name: "Phone" }).fill("+49 30 555 01 75");

  // A real picture; its name survives a reload, the passwords do not.
  const picture = await page.screenshot();
  const file = { name: "business-registration.png", mimeType: "image/png", buffer: picture };
  await company.getByLabel("Certificate").setInputFiles(file);
  await expect(company.getByText(/ · uploaded$/)).toBeVisible();
  await expect(company.locator("canvas")).toBeVisible();
  await page.reload();
  await expect(company).toContainText("business-registration.png");
  await expect(company.getByRole("textbox", { name: "Manager" })).toHaveValue("Ines Brandt");
  await expect(password).toHaveValue("");

  await password.fill(PASSWORD);
  await page.getByRole("textbox", { name: "Confirm Password" }).fill(PASSWORD);
  const terms = page.getByRole("checkbox", { name: /^I agree/ });
  await terms.click();
  await expect(page.getByRole("dialog")).toContainText("within 7 days of receipt");
  await checkAccessible(page);
  await page.getByRole("dialog").getByRole("button", { name: "Confirm" }).click();
  await expect(terms).toBeChecked();
}

/** From the queue to approved in three clicks; the certificate is looked at. */
async function approve(page: Page, company: string) {
  await page.getByRole("link", { name: "All registrations" }).click();
  await page.getByRole("link", { name: company }).click();
  const picture = page.getByRole("img", { name: /certificate/ });
  await expect(picture).toBeVisible();
  await expect.poll(() => picture.evaluate((it: HTMLImageElement) => it.naturalWidth)).toBe(1440);
  await page.getByRole("button", { name: "Approve and send mail" }).click();
  await expect(page.getByText(`${company}: approved.`)).toBeVisible();
}

const days = (number: number) => new Date(Date.now() + number * 86_400_000).toISOString();

/** A notice to one company, whose popup is open now. */
async function writePopup(page: Page, { title, company }: { title: string; company: string }) {
  await page.getByRole("textbox", { name: "Title" }).fill(title);
  await page.locator("[contenteditable=true]").fill(`The text of ${title}`);
  await page.getByLabel("Add files").setInputFiles({
    name: `${title}.csv`,
    mimeType: "text/csv",
    buffer: Buffer.from("sku,price\nAUR-1,12.50\n"),
  });
  const moment = async (name: string, at: string) => {
    await page.getByRole("textbox", { name: `${name}, date` }).fill(at.slice(0, 10));
    await page.getByRole("textbox", { name: `${name}, time` }).fill(at.slice(11, 16));
  };
  await moment("From", days(-2));
  await page.getByRole("checkbox", { name: "Popup on the dashboard" }).check();
  await moment("Popup, from", days(-2));
  await moment("Popup, until", days(2));
  await page.getByRole("radio", { name: "Some companies" }).check();
  await page.getByRole("searchbox", { name: "Some companies" }).fill(company);
  await page.getByRole("option", { name: company }).click();
  await expect(page.getByText("Reaches 1 company, 1 buyer.")).toBeVisible();
  await page.getByRole("button", { name: "Save", exact: true }).click();
  await expect(page.getByText(`${title}: saved.`)).toBeVisible();
}

test("a newcomer registers, waits, is approved, signs in and reads what pops up", async ({
  browser,
}) => {
  const problems: string[] = [];
  const page = await openPage(browser, problems);
  const id = Date.now();
  const email = `newcomer-${id}@journey.test`;
  const company = `Nordlicht ${id}`;

  await page.goto("/login");
  await page.getByRole("link", { name: "Sign up" }).click();
  await openForm(page, email);
  await fillForm(page, company);
  await page.getByRole("button", { name: "Submit" }).click();
  const pending = page.getByRole("dialog", { name: "Sign up" });
  await expect(pending).toContainText(
    "Available after receiving administrator approval mail. (It takes 2 to 3 days)",
  );
  await pending.getByRole("button", { name: "Confirm" }).click();
  await expect(page).toHaveURL(/\/login$/);

  await approve(await openAdmin(browser, problems, "approver"), company);
  const sales = await openAdmin(browser, problems, "sales");
  await sales.goto("/admin/notices/notice/add/");
  const title = `Price list ${id}`;
  await writePopup(sales, { title, company });

  await page.goto(await mailedLink(email, "/login"));
  expect(mailsTo(email).map(({ subject }) => subject)).toContain(
    "Your wholesale account is approved",
  );
  await signIn(page, email);
  await expect(page).toHaveURL(/\/dashboard$/);
  const popup = page.getByRole("dialog", { name: title });
  await expect(popup).toContainText(`The text of ${title}`);
  const download = page.waitForEvent("download");
  await popup.getByRole("link", { name: `${title}.csv` }).click();
  expect((await download).suggestedFilename()).toBe(`${title}.csv`);
  await page.keyboard.press("Escape");
  await expect(popup).toHaveCount(0);
  await page.getByRole("button", { name: title }).click();
  await expect(popup).toBeVisible();

  expect(problems).toEqual([]);
});
