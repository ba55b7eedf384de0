import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { signInStaff } from "./demo";
import { checkAccessible, openPage, SIZES } from "./pages";
import { inPortal } from "./portal";
import { type Browser, expect, type Page, test } from "./test";

const STATEMENTS = "/admin/payments/payment/desk/statements/";
const MANY = 3000;

/** Looks at a page in both themes, for faults and for anything wider than the window. */
async function lookAt(page: Page) {
  for (const theme of ["light", "dark"]) {
    await page.evaluate((name) => {
      document.documentElement.dataset.theme = name;
    }, theme);
    await checkAccessible(page);
  }
}

/** The code that an authenticator app shows now for a secret (RFC 6238). */
function codeOf(secret: string): string {
  const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
  const digits = [...secret.replace(/[^A-Z2-7]/g, "")].map((one) => letters.indexOf(one));
  const bits = digits.map((one) => one.toString(2).padStart(5, "0")).join("");
  const key = Buffer.from((bits.match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2)));
  const moment = Buffer.alloc(8);
  moment.writeBigUInt64BE(BigInt(Math.floor(Date.now() / 30_000)));
  const hash = createHmac("sha1", key).update(moment).digest();
  const at = (hash.at(-1) ?? 0) & 15;
  return String((hash.readUInt32BE(at) & 0x7fffffff) % 1_000_000).padStart(6, "0");
}

/** A page of somebody who has shown the password of a new member of staff where a second factor is asked for. */
async function atSecondStep(browser: Browser, problems: string[], name: string, size: object) {
  const key = `second-step-of-a-journey-${name}`;
  inPortal(
    `
import time
from importlib import import_module
from django.conf import settings
from apps.accounts.models import User
User.objects.filter(email=data["email"]).delete()
user = User.objects.create_user(email=data["email"], password="a-long-one-4711", is_staff=True, manager="Second Step")
session = import_module(settings.SESSION_ENGINE).SessionStore()
session["second_factor"] = {
    "user": user.pk, "backend": "django.contrib.auth.backends.ModelBackend", "hash": user.get_session_auth_hash(),
    "until": int(time.time()) + 600, "tries": 0, "next": "/admin/",
}
session._session_key = data["key"]
session.save(must_create=True)
`,
    { key, email: `${name}@second.test` },
  );
  const page = await openPage(browser, problems, { viewport: size as never });
  const { origin } = new URL(test.info().project.use.baseURL ?? "");
  await page.context().addCookies([{ name: "staff_session", value: key, url: origin }]);
  return page;
}

for (const [name, size] of SIZES) {
  test(`the second step of the sign-in and the mails have no fault on a ${name}`, async ({
    browser,
  }) => {
    const problems: string[] = [];
    const page = await atSecondStep(browser, problems, name, size);
    await page.goto("/admin/second-factor/");
    await expect(page.getByRole("heading", { name: "Set up the second factor" })).toBeVisible();
    await lookAt(page);
    await page.getByLabel("Code").fill("000000");
    await page.getByRole("button", { name: "Set up and sign in" }).click();
    await expect(page.getByText("This code is wrong")).toBeVisible();
    await lookAt(page);
    const secret = (await page.locator("code").first().textContent()) ?? "";
    await expect(async () => {
      await page.getByLabel("Code").fill(codeOf(secret));
      await page.getByRole("button", { name: "Set up and sign in" }).click();
      await expect(page.getByRole("heading", { name: "Recovery codes" })).toBeVisible({
        timeout: 2000,
      });
    }).toPass(); // a wrong code closes the door for a moment
    await lookAt(page);
    await page.getByRole("link", { name: "I have saved them, continue" }).click();
    await expect(page.getByRole("heading", { name: "To do", exact: true, level: 1 })).toBeVisible();
    await page.context().close();

    const staff = await openPage(browser, problems, { viewport: size });
    await signInStaff(staff);
    await staff.goto("/admin/post_office/email/");
    await lookAt(staff);
    await staff.locator("#result_list tbody th a").first().click();
    await expect(staff.getByRole("heading", { name: "As it went out" })).toBeVisible();
    await lookAt(staff);
    await staff.getByText("Source", { exact: true }).click();
    await lookAt(staff);
    expect(problems.filter((text) => !text.includes("inline style"))).toEqual([]);
    await staff.context().close();
  });
}

test("a statement of 3,000 credits is read, stored, counted, found and paged; reports come as files", async ({
  browser,
}) => {
  const problems: string[] = [];
  const page = await openPage(browser, problems);
  await signInStaff(page);
  await page.goto(STATEMENTS);
  const rows = Array.from(
    { length: MANY },
    (_, n) => `2026-11-02,${n + 1}.07,USD,PAYER ${n + 1},RENT,JOURNEY${n + 1}`,
  );
  const content = ["Date,Amount,Currency,Name,Details,Bank reference", ...rows].join("\n");
  const file = { name: "journey.csv", mimeType: "text/csv", buffer: Buffer.from(content) };
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByRole("button", { name: "Read the file" }).click();
  await page.getByRole("button", { name: "Store 3,000 credits" }).click();
  const figures = page.getByRole("region", { name: "Figures" });
  await expect(figures).toContainText("Credits3,000");
  await expect(figures).toContainText("Booked0");
  await expect(page.getByText("1–50 of 3,000")).toBeVisible();
  await lookAt(page);
  await page.getByRole("link", { name: "No match 3,000" }).click();
  await page.getByRole("navigation", { name: "Pages" }).getByRole("link", { name: "60" }).click();
  await expect(page.getByText("2,951–3,000 of 3,000")).toBeVisible();
  await page.getByRole("searchbox", { name: "Find a credit" }).fill("payer 2999");
  await page.keyboard.press("Enter");
  await expect(page.getByText("1–1 of 1")).toBeVisible();
  await page.setViewportSize({ width: 390, height: 844 });
  await lookAt(page);

  await page.goto("/admin/orders/salestally/");
  await lookAt(page);
  for (const [kind, begins] of [
    ["XLSX", "PK"],
    ["CSV", "\uFEFFBrand"],
  ] as const) {
    const download = page.waitForEvent("download");
    if (!(await page.getByRole("link", { name: kind, exact: true }).isVisible()))
      await page.getByText("Export", { exact: false }).first().click();
    await page.getByRole("link", { name: kind, exact: true }).click();
    const text = readFileSync(await (await download).path(), "utf8");
    expect(text.startsWith(begins)).toBe(true);
  }
  expect(problems.filter((text) => !text.includes("inline style"))).toEqual([]);
});
