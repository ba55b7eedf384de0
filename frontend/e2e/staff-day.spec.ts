import { createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
import { signInAt } from "./demo";
import { checkAccessible, checkEverywhere, openPage } from "./pages";
import { inPortal } from "./portal";
import { type Browser, expect, test } from "./test";

const STATEMENTS = "/admin/payments/payment/desk/statements/";
const MANY = 120;

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
async function atSecondStep(browser: Browser, problems: string[]) {
  const key = "second-step-of-a-journey";
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
    { key, email: "somebody@second.test" },
  );
  const page = await openPage(browser, problems);
  const { origin } = new URL(test.info().project.use.baseURL ?? "");
  await page.context().addCookies([{ name: "staff_session", value: key, url: origin }]);
  return page;
}

test("the second step of the sign-in and the mails have no fault", async ({ browser }) => {
  const problems: string[] = [];
  const page = await atSecondStep(browser, problems);
  await page.goto("/admin/second-factor/");
  await expect(page.getByRole("heading", { name: "Set up the second factor" })).toBeVisible();
  await checkEverywhere(page);
  await page
    .getByLabel("Code")
    .fill(codeOf((await page.locator("code").first().textContent()) ?? ""));
  await page.getByRole("button", { name: "Set up and sign in" }).click();
  await expect(page.getByRole("heading", { name: "Recovery codes" })).toBeVisible();
  await checkAccessible(page);
  await page.getByRole("link", { name: "I have saved them, continue" }).click();
  await expect(page.getByRole("heading", { name: "To do", exact: true, level: 1 })).toBeVisible();

  const staff = await openPage(browser, problems);
  await signInAt(staff, "/admin/post_office/email/", "sales");
  await checkAccessible(staff);
  await staff.locator("#result_list tbody th a").first().click();
  await expect(staff.getByRole("heading", { name: "As it went out" })).toBeVisible();
  await staff.getByText("Source", { exact: true }).click();
  await checkEverywhere(staff);
  expect(problems).toEqual([]);
});

test("a statement of many credits is read, stored, counted, found and paged; reports come as files", async ({
  browser,
}) => {
  const problems: string[] = [];
  const page = await openPage(browser, problems);
  await signInAt(page, STATEMENTS, "sales");
  const rows = Array.from(
    { length: MANY },
    (_, n) => `2026-11-02,${n + 1}.07,USD,PAYER ${n + 1},RENT,JOURNEY${n + 1}`,
  );
  const content = ["Date,Amount,Currency,Name,Details,Bank reference", ...rows].join("\n");
  const file = { name: "journey.csv", mimeType: "text/csv", buffer: Buffer.from(content) };
  await page.locator("input[type=file]").setInputFiles(file);
  await page.getByRole("button", { name: "Read the file" }).click();
  await page.getByRole("button", { name: "Store 120 credits" }).click();
  const figures = page.getByRole("region", { name: "Figures" });
  await expect(figures).toContainText("Credits120");
  await expect(figures).toContainText("Booked0");
  await expect(page.getByText("1–50 of 120")).toBeVisible();
  await checkEverywhere(page);
  await page.getByRole("link", { name: "No match 120" }).click();
  await page
    .getByRole("navigation", { name: "Pages" })
    .getByRole("link", { name: "3", exact: true })
    .click();
  await expect(page.getByText("101–120 of 120")).toBeVisible();
  await page.getByRole("searchbox", { name: "Find a credit" }).fill("payer 119");
  await page.keyboard.press("Enter");
  await expect(page.getByText("1–1 of 1")).toBeVisible();
  await checkAccessible(page);

  await page.goto("/admin/orders/salestally/");
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
  expect(problems).toEqual([]);
});
