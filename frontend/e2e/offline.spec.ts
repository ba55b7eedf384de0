import { request as ask, createServer } from "node:http";
import type { AddressInfo } from "node:net";
import {
  basketLines,
  emptyBasket,
  requestOrder,
  selectProduct,
  signInAt,
  signInHere,
} from "./demo";
import { checkAccessible, openPage, SIZES } from "./pages";
import { expect, type Page, test } from "./test";

test.beforeEach(({ request }) => emptyBasket(request));

const BAR = "You are offline. Edits are kept and sent later.";
const stored = (page: Page) =>
  page.evaluate(() => JSON.parse(localStorage.getItem("basket") ?? "[]") as { sku: string }[]);

test("without a connection the basket and a message are kept, and both arrive once", async ({
  browser,
  request,
}) => {
  const page = await openPage(browser, [], { viewport: SIZES[0][1] });
  await signInAt(page, "/invoice/1");
  const orders = page.getByRole("region", { name: "Orders" }).getByRole("link");
  const href = (await orders.first().getAttribute("href")) ?? "";
  await page.goto("/order");
  await expect(page.getByRole("button", { name: /^Select, / }).first()).toBeVisible();

  await page.context().setOffline(true);
  await expect(page.getByText(BAR)).toBeVisible();
  await selectProduct(page);
  await expect(page.getByText("Ordering needs a connection.")).toBeVisible();
  await expect(page.locator("#basket").getByText(/^As of \d\d:\d\d$/)).toBeVisible();
  await expect(page.getByRole("button", { name: "Order", exact: true })).toBeDisabled();
  await checkAccessible(page);
  const [line] = await stored(page);
  if (!line) throw new Error("nothing was selected");
  await page.context().setOffline(false);
  await expect(page.getByText(BAR)).toHaveCount(0);
  await expect.poll(() => basketLines(request)).toMatchObject([{ sku: line.sku }]);

  await page.goto(href);
  const box = page.getByRole("textbox", { name: "Message" });
  await expect(box).toBeVisible();
  // What an alert needs comes once the page stands: a script with what that imports.
  const fetched =
    "performance.getEntriesByType('resource').find(({ name }) => /AlertPopup.*js$/.test(name))";
  await expect.poll(() => page.evaluate(`!!${fetched}`), { intervals: [100] }).toBe(true);
  await page.evaluate(`import(${fetched}.name).then(() => 1)`);
  await page.context().setOffline(true);
  await expect(page.getByText(BAR)).toBeVisible();
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await page.getByRole("alertdialog").getByRole("button", { name: "OK" }).click();
  const text = `Written at sea ${Date.now()}`;
  await box.fill(text);
  await page.getByRole("button", { name: "Send", exact: true }).click();
  await expect(page.getByText("Will be sent", { exact: true })).toBeVisible();
  await expect(box).toHaveValue("");
  await page.context().setOffline(false);
  await expect(page.getByText("Sent.", { exact: true })).toBeVisible();
  await page.reload();
  const said = page.getByRole("log", { name: "Conversation" });
  await expect(said.getByText(text)).toHaveCount(1);
  await expect(page.getByText("Will be sent", { exact: true })).toHaveCount(0);
});

test("a screen whose files did not come says so in place, and comes once there is a connection", async ({
  browser,
}) => {
  const page = await openPage(browser, [], { viewport: SIZES[1][1] });
  await signInAt(page);
  await expect(page.getByRole("button", { name: /^Select, / }).first()).toBeVisible();
  const company = page.getByRole("button", { name: "Nordlicht Beauty GmbH" });
  await company.click();
  await expect(page.getByRole("menu")).toBeVisible();
  await page.keyboard.press("Escape");
  await page.context().setOffline(true);
  await expect(page.getByText(BAR)).toBeVisible();
  await page.getByRole("link", { name: "System" }).click();
  const again = page.getByRole("button", { name: "Try again" });
  await again.click();
  await expect(again).toBeVisible();

  // What the header opens lies over the bar.
  await company.click();
  await page.getByRole("menu").getByText("buyer@demo.test").click({ trial: true });
  await page.keyboard.press("Escape");

  await page.context().setOffline(false);
  await expect(page.getByText(BAR)).toHaveCount(0);
  await again.click();
  await expect(page.getByLabel("Change Password", { exact: true })).toBeVisible();
});

test("a reload and an expired session bring a half-filled checkout back", async ({ browser }) => {
  const page = await openPage(browser, [], { viewport: SIZES[1][1] });
  await signInAt(page, "/order");
  await selectProduct(page);
  await page.goto("/order?panel=basket");
  await requestOrder(page);
  const depositor = page.getByRole("textbox", { name: "Account Name" });
  await depositor.fill("Ines Brandt");
  await expect(page.getByText("Saved as a draft until you check out")).toBeVisible();

  await page.reload();
  await expect(page.getByText(/^Restored\./)).toBeVisible();
  await expect(depositor).toHaveValue("Ines Brandt");
  await checkAccessible(page);

  const checkout = new URL(page.url()).pathname;
  await page.evaluate(() => localStorage.setItem("token", "expired"));
  await page.reload();
  await page.getByRole("alertdialog").getByRole("button", { name: "OK" }).click();
  await signInHere(page);
  await expect(page).toHaveURL(checkout);
  await expect(depositor).toHaveValue("Ines Brandt");
});

/** All that is kept of the portal in this browser: caches by address, and every text of the databases and storages. */
const keptIn = (page: Page) =>
  page.evaluate(async () => {
    const cached: string[] = [];
    for (const name of await caches.keys()) {
      const requests = await (await caches.open(name)).keys();
      cached.push(...requests.map(({ url }) => new URL(url).pathname));
    }
    const texts = [JSON.stringify(localStorage), JSON.stringify(sessionStorage)];
    for (const { name = "" } of await indexedDB.databases()) {
      const database = await new Promise<IDBDatabase>((done, fail) => {
        const opening = indexedDB.open(name);
        opening.onsuccess = () => done(opening.result);
        opening.onerror = () => fail(opening.error);
      });
      for (const store of database.objectStoreNames) {
        const all = database.transaction(store).objectStore(store).getAll();
        await new Promise((done) => {
          all.onsuccess = done;
        });
        texts.push(JSON.stringify(all.result));
      }
      database.close();
    }
    return { cached, texts: texts.join(" ") };
  });

/** A proxy before the portal: while it is `away`, no instance of the portal answers it. */
async function openProxy(portal: string) {
  const proxy = { isAway: false, url: "", close: () => server.close() };
  const server = createServer((request, response) => {
    if (proxy.isAway) {
      response.writeHead(503, { "Content-Type": "text/html" }).end("<h1>Please try again</h1>");
      return;
    }
    const { method = "GET", headers, url } = request;
    const asked = ask(`${portal}${url}`, { method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    request.pipe(asked);
  });
  await new Promise<void>((listens) => server.listen(0, "127.0.0.1", listens));
  proxy.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return proxy;
}

test("it is installed, opens without a connection or behind a proxy alone, and leaves no price behind", async ({
  browser,
  request,
  baseURL,
}) => {
  const proxy = await openProxy(baseURL ?? "");
  const page = await openPage(browser, [], {
    viewport: SIZES[1][1],
    serviceWorkers: "allow",
    baseURL: proxy.url,
  });
  await signInAt(page, "/order");
  const found = await page.context().newCDPSession(page);
  const { url, errors } = await found.send("Page.getAppManifest");
  expect([new URL(url).pathname, errors]).toEqual(["/manifest.webmanifest", []]);
  for (const { src, sizes } of (await (await request.get(url)).json()).icons) {
    const size = await page.evaluate(async (address) => {
      const image = new Image();
      image.src = address;
      await image.decode();
      return `${image.width}x${image.height}`;
    }, src);
    expect(size).toBe(sizes);
  }
  await selectProduct(page);
  await expect.poll(() => stored(page)).toHaveLength(1);
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.goto("/invoice/5");
  const rows = page.getByRole("region", { name: "Orders" }).locator("a[data-code]");
  const code = (await rows.first().getAttribute("data-code")) ?? "";
  await rows.first().click();
  const order = page.getByRole("region", { name: code });
  await expect(page.getByRole("region", { name: "Totals" }).getByText("Subtotal")).toBeVisible();
  await page.goto("/order");
  await expect(page.getByRole("button", { name: /^Select, / }).first()).toBeVisible();

  await page.context().setOffline(true);
  await page.reload();
  await expect(page.getByText(BAR)).toBeVisible();
  await expect(page.getByRole("heading", { name: "Product order" })).toBeVisible();
  await checkAccessible(page);
  await page.goto("/order?panel=basket");
  await expect(page.getByText(BAR)).toBeVisible();
  await expect(page.getByRole("list", { name: "Kept in this browser" })).toBeVisible();
  await page.goto(`/invoice/5?invoice_code=${code}`);
  await expect(page.getByText(BAR)).toBeVisible();
  await expect(order.getByText(/^As of \d\d:\d\d$/)).toBeVisible();
  await expect(page.getByRole("region", { name: "Totals" }).getByText("Subtotal")).toBeVisible();
  await page.goto("/invoice/5");
  await expect(rows.first()).toHaveAttribute("data-code", code);
  await page.goto("/invoice/0");
  await expect(page.getByText(BAR)).toBeVisible();
  await page.context().setOffline(false);
  await expect(page.getByText(BAR)).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Orders" }).getByRole("link")).not.toHaveCount(0);

  proxy.isAway = true;
  await page.goto("/invoice/5");
  await expect(page.getByText(BAR)).toBeVisible();
  await expect(rows.first()).toHaveAttribute("data-code", code);
  const unknown = await page.goto("/nowhere");
  expect([unknown?.status(), await page.getByRole("heading").textContent()]).toEqual([
    503,
    "Please try again",
  ]);
  const call = await page.evaluate(() => fetch("/api/notice").then(({ status }) => status));
  expect(call).toBe(503);
  proxy.isAway = false;
  await page.goto("/invoice/5");
  await expect(rows.first()).toHaveAttribute("data-code", code);

  await page.getByTitle("Nordlicht Beauty GmbH").click();
  await page.getByRole("menuitem", { name: "Logout" }).click();
  await expect(page.getByRole("heading", { name: "Sign in" })).toBeVisible();
  const { cached, texts } = await keptIn(page);
  const own = /^\/(|accent\.css|static\/app\/assets\/[^/]+\.(js|css|svg|woff2))$/;
  expect(cached.filter((path) => !own.test(path))).toEqual([]);
  expect(cached.length).toBeGreaterThan(50);
  expect(texts).not.toMatch(/price|wholesale|\d\.\d\d/i);
  proxy.close();
});
