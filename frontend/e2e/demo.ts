import { randomUUID } from "node:crypto";
import { type APIRequestContext, type Cookie, expect, type Page } from "@playwright/test";

/** Signs somebody of the demo in where the page asks for it. */
export async function signInHere(page: Page, who = "buyer"): Promise<void> {
  await page.getByLabel("Email").fill(`${who}@demo.test`);
  await page.getByLabel("Password").fill(`demo-${who}-1`);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Of sign-ins before: each costs a page and a hash. */
const tokens: Record<string, string> = {};
const sessions: Record<string, Cookie[]> = {};

/** Opens a page as somebody of the demo, without the form that asks who it is. */
export async function signInAt(page: Page, path = "/order", who = "buyer"): Promise<void> {
  if (path.startsWith("/admin/")) {
    sessions[who] ??= await staffSession(page, who);
    await page.context().addCookies(sessions[who]);
  } else {
    const token = await tokenOf(page.request, who);
    await page.goto("/robots.txt");
    await page.evaluate((stored) => localStorage.setItem("token", stored), token);
  }
  await page.goto(path);
}

async function tokenOf(request: APIRequestContext, who: string): Promise<string> {
  const data = { email: `${who}@demo.test`, password: `demo-${who}-1` };
  tokens[who] ??= (await (await request.post("/api/login", { data })).json()).token as string;
  return tokens[who];
}

async function staffSession(page: Page, who: string): Promise<Cookie[]> {
  const form = await (await page.request.get("/admin/login/")).text();
  const csrfmiddlewaretoken = /csrfmiddlewaretoken" value="(\w+)"/.exec(form)?.[1] ?? "";
  const entered = { username: `${who}@demo.test`, password: `demo-${who}-1`, csrfmiddlewaretoken };
  await page.request.post("/admin/login/", { form: entered });
  return page.context().cookies();
}

/** Opens the order screen as the demo's buyer. */
export async function signInBuyer(page: Page): Promise<void> {
  await signInAt(page);
  await expect(page.getByRole("heading", { name: "Product order" })).toBeVisible();
}

/** Puts the first product of the list that can be selected into the basket. */
export async function selectProduct(page: Page): Promise<void> {
  const select = page.getByRole("button", { name: /^Select, / });
  await select.first().click();
}

/** Requests an order of what is in the basket; returns its code, at the deposit checkout. */
export async function requestOrder(page: Page): Promise<string> {
  await page.getByRole("button", { name: "Order", exact: true }).click();
  await page.getByRole("dialog").getByRole("button", { name: "Confirm", exact: true }).click();
  await expect(page).toHaveURL(/\/order\/checkout-deposit\/.+/);
  return new URL(page.url()).pathname.split("/").pop() ?? "";
}

/** Opens the home of staff as one of the demo's. */
export async function signInStaff(page: Page, who = "sales"): Promise<void> {
  await signInAt(page, "/admin/", who);
  await expect(page.getByRole("heading", { name: "To do", exact: true, level: 1 })).toBeVisible();
}

/** Empties the demo buyer's basket: the server keeps it from one journey to the next. */
export async function emptyBasket(request: APIRequestContext): Promise<void> {
  await changeBasket(request, (lines) => lines.map(({ sku }) => ({ sku, count: 0 })));
}

interface BasketLine {
  sku: string;
  count: number;
}

/** Edits the demo buyer's basket at the server, by what is in it. */
export async function changeBasket(
  request: APIRequestContext,
  editsOf: (lines: BasketLine[]) => BasketLine[],
): Promise<void> {
  const { headers, revision, lines } = await basketOf(request);
  const edits = editsOf(lines);
  const data = { device: randomUUID(), sequence: 1, revision, edits };
  if (edits.length) await request.post("/api/basket/edits", { headers, data });
}

/** What is in the demo buyer's basket at the server. */
export async function basketLines(request: APIRequestContext): Promise<BasketLine[]> {
  return (await basketOf(request)).lines;
}

async function basketOf(request: APIRequestContext) {
  const headers = { "x-access-token": await tokenOf(request, "buyer") };
  const { revision, lines } = await (await request.get("/api/basket", { headers })).json();
  return { headers, revision: revision as number, lines: lines as BasketLine[] };
}
