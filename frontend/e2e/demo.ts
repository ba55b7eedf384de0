import { randomUUID } from "node:crypto";
import type { APIRequestContext, Page } from "@playwright/test";

const BUYER = { email: "buyer@demo.test", password: "demo-buyer-1" };

/** Signs a buyer of the demo in at a page that asks for it. */
export async function signInBuyer(page: Page, path = "/order", who = "buyer"): Promise<void> {
  await page.goto(path);
  await page.getByLabel("Email").fill(`${who}@demo.test`);
  await page.getByLabel("Password").fill(`demo-${who}-1`);
  await page.getByRole("button", { name: "Sign in" }).click();
}

/** Empties the demo buyer's basket: the server keeps it from one journey to the next. */
export async function emptyBasket(request: APIRequestContext): Promise<void> {
  const { token } = await (await request.post("/api/login", { data: BUYER })).json();
  const headers = { "x-access-token": token };
  const { revision, lines } = await (await request.get("/api/basket", { headers })).json();
  const edits = lines.map(({ sku }: { sku: string }) => ({ sku, count: 0 }));
  const data = { device: randomUUID(), sequence: 1, revision, edits };
  if (edits.length) await request.post("/api/basket/edits", { headers, data });
}
