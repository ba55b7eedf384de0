import { chromium } from "playwright-core";
import fs from "node:fs";
const base = process.env.BASE ?? "http://127.0.0.1:9371";
const out = process.env.OUT ?? "/tmp/payments/shots"; fs.mkdirSync(out, { recursive: true });
const widths = (process.env.WIDTHS ?? "1440,1024,844,390").split(",").map(Number);
const pages = JSON.parse(fs.readFileSync(process.argv[2] ?? "/tmp/payments/pages.json"));
const browser = await chromium.launch({ executablePath: "/tmp/catalog/chromium.sh", args: ["--no-sandbox", "--disable-gpu"] });
const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, locale: "ko-KR" });
const page = await context.newPage();
await page.goto(base + "/admin/login/");
await page.fill("#id_username", "admin@demo.test"); await page.fill("#id_password", "demo-admin-1");
await Promise.all([page.waitForNavigation(), page.click("[type=submit]")]);
for (const [name, path] of Object.entries(pages)) {
  for (const width of widths) {
    await page.setViewportSize({ width, height: width < 500 ? 844 : width === 844 ? 390 : 900 });
    const answer = await page.goto(base + path);
    const over = await page.evaluate(() => {
      const w = document.documentElement.clientWidth; const bad = [];
      if (document.documentElement.scrollWidth > w) bad.push("PAGE " + document.documentElement.scrollWidth);
      for (const el of document.querySelectorAll("main *")) {
        if (el.closest(".scroll, .visually-hidden, svg")) continue;
        const r = el.getBoundingClientRect();
        if (r.width && r.right > w + 1) { bad.push(el.tagName + "." + el.className + " " + el.textContent.trim().slice(0, 30)); if (bad.length > 3) break; }
      }
      for (const el of document.querySelectorAll("main .button, main .tag, main th, main dt"))
        if (el.scrollWidth > el.clientWidth + 1 && getComputedStyle(el).overflow !== "visible") bad.push("CUT " + el.textContent.trim().slice(0, 30));
      return bad;
    });
    if (over.length || answer.status() !== 200) console.log(name, width, answer.status(), over);
    await page.screenshot({ path: `${out}/${name}-${width}.png`, fullPage: true });
  }
}
await browser.close();
