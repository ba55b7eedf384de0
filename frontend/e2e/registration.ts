import { expect, type Page } from "@playwright/test";
import { mailedLink } from "./mail";

let people = 0;
/** What nobody else has, in this run or another: an address and a company may be registered again and again. */
export function unique(): string {
  people += 1;
  return `${Date.now()}-${process.pid}-${people}`;
}

/** Asks for the link and opens the one that was mailed. */
export async function openForm(page: Page, email: string): Promise<void> {
  await page.goto("/register");
  await page.getByLabel("Email").fill(email);
  await page.getByRole("button", { name: "Authentication request" }).click();
  await expectAlert(page, "Authentication mail has been sent.");
  await page.goto(await mailedLink(email, "/register/"));
  await expect(page.getByRole("textbox", { name: "E-mail" })).toHaveValue(email);
}

/** The alert says so; then it is put away. */
export async function expectAlert(page: Page, text: string): Promise<void> {
  await expect(page.getByRole("alertdialog")).toContainText(text);
  await page.getByRole("button", { name: "OK" }).click();
  await expect(page.getByRole("alertdialog")).toHaveCount(0);
}
