/**
 * Fails when the first load of a route is over its budget (KB gzipped, 1 KB = 1024 bytes).
 * Reads the manifest of the production build.
 */
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

const DIST = join(import.meta.dirname, "..", "dist");
const ENTRY = "src/app/main.tsx";
const ROUTES = [
  { path: "/login", chunk: "src/features/session/LoginScreen.tsx", budget: 110 },
  { path: "/register", chunk: "src/features/registration/RegisterEmailScreen.tsx", budget: 135 },
  {
    path: "/register/{token}",
    chunk: "src/features/registration/RegistrationScreen.tsx",
    budget: 135,
  },
  { path: "/policy", chunk: "src/features/policy/PolicyScreen.tsx", budget: 135 },
  { path: "/dashboard", chunk: "src/features/dashboard/DashboardScreen.tsx", budget: 110 },
  { path: "/order", chunk: "src/features/product-order/ProductOrderScreen.tsx", budget: 130 },
  // The returns from PayPal are in it.
  { path: "/order/checkout-deposit", chunk: "src/routes/CheckoutRoute.tsx", budget: 135 },
  { path: "/account", chunk: "src/routes/AccountRoute.tsx", budget: 125 },
  { path: "/invoice", chunk: "src/features/order-info/OrderInfoScreen.tsx", budget: 140 },
];
// Fetched by a page after its first load: without what the page has by then.
const LATER = [
  {
    name: "/dashboard chart",
    page: "src/features/dashboard/DashboardScreen.tsx",
    chunk: "src/features/dashboard/OrderAmountChart.tsx",
    budget: 110,
  },
  {
    name: "/order rows",
    page: "src/features/product-order/ProductOrderScreen.tsx",
    chunk: "src/features/product-order/products/ProductRows.tsx",
    budget: 15,
  },
];
const FONTS = { files: /latin-wght-normal.*\.woff2$/, budget: 70 };

const manifest = JSON.parse(readFileSync(join(DIST, ".vite/manifest.json"), "utf8"));
// As the server stores them: level 9.
const gzipped = (file) => gzipSync(readFileSync(join(DIST, file)), { level: 9 }).length / 1024;

/** Chunks that the browser must have before it can run these: their static imports, all the way. */
function closure(keys, seen = new Set()) {
  for (const key of keys) {
    if (seen.has(key)) continue;
    if (!manifest[key]) throw new Error(`No chunk ${key} in the manifest`);
    seen.add(key);
    closure(manifest[key].imports ?? [], seen);
  }
  return [...seen].map((key) => manifest[key]);
}

let failed = false;
function report(name, size, budget, rest = "") {
  const over = size > budget;
  failed ||= over;
  console.log(
    `${over ? "OVER" : "ok  "} ${name.padEnd(26)} ${size.toFixed(1).padStart(6)} of ${budget} KB${rest}`,
  );
}

for (const { path, chunk, budget } of ROUTES) {
  const chunks = closure([ENTRY, chunk]);
  const scripts = chunks.map(({ file }) => file);
  const sheets = new Set(chunks.flatMap(({ css }) => css ?? []));
  const total = (files) => [...files].map(gzipped).reduce((sum, size) => sum + size, 0);
  report(`${path} (JS)`, total(scripts), budget, `, CSS ${total(sheets).toFixed(1)} KB`);
}

for (const { name, page, chunk, budget } of LATER) {
  const before = new Set(closure([ENTRY, page]));
  const added = closure([chunk]).filter((loaded) => !before.has(loaded));
  report(
    `${name} (JS)`,
    added.map(({ file }) => gzipped(file)).reduce((sum, size) => sum + size, 0),
    budget,
  );
}

const fonts = (manifest[ENTRY].assets ?? []).filter((file) => FONTS.files.test(file));
const fontSize = fonts.reduce((sum, file) => sum + statSync(join(DIST, file)).size / 1024, 0);
report("fonts", fontSize, FONTS.budget);
process.exitCode = failed ? 1 : 0;
