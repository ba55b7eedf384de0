import { randomUUID } from "node:crypto";
import { type APIRequestContext, expect, type Page } from "@playwright/test";

const BUYER = { email: "buyer@demo.test", password: "demo-buyer-1" };

/** Signs somebody of the demo in where the page asks for it. */
export async function signInHere(page: Page, who = "buyer"): Promise<void> {
  await page.getByLabel("Email").fill(`${who}@demo.test`);
  await page.getByLabel("Password").fill(`demo-${who}-1`);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Signs somebody of the demo in at a page that asks for it. */
export async function signInAt(page: Page, path = "/order", who = "buyer"): Promise<void> {
  await page.goto(path);
  await signInHere(page, who);
}

/** Opens the order screen as the demo's buyer. */
export async function signInBuyer(page: Page): Promise<void> {
  await signInAt(page);
  await expect(page.getByRole("heading", { name: "Product order" })).toBeVisible();
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

/** Of the last sign-in here: each costs a hash. */
let headers: Record<string, string> = {};

interface BasketLine {
  sku: string;
  count: number;
}

/** Edits the demo buyer's basket at the server, by what is in it. */
export async function changeBasket(
  request: APIRequestContext,
  editsOf: (lines: BasketLine[]) => BasketLine[],
): Promise<void> {
  let basket = await request.get("/api/basket", { headers });
  if (!basket.ok()) {
    const { token } = await (await request.post("/api/login", { data: BUYER })).json();
    headers = { "x-access-token": token };
    basket = await request.get("/api/basket", { headers });
  }
  const { revision, lines } = await basket.json();
  const edits = editsOf(lines);
  const data = { device: randomUUID(), sequence: 1, revision, edits };
  if (edits.length) await request.post("/api/basket/edits", { headers, data });
}
