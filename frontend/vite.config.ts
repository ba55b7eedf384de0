import { readdirSync, readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import tailwindcss from "@tailwindcss/vite";
import react from "@vitejs/plugin-react";
import PO from "pofile";
import { defineConfig } from "vitest/config";

const require = createRequire(import.meta.url);
const portal = process.env.PORTAL_URL ?? "http://127.0.0.1:8000";

/** The scripts of the admin's pages; templates load them with {% staff_assets "name" %}. */
const staffPages = readdirSync(new URL("staff/pages", import.meta.url))
  .filter((name) => name.endsWith(".ts") && !name.endsWith(".test.ts"))
  .map((name) => `staff/pages/${name}`);

/** Workbox is bundled into the service worker: its licence goes along. */
const workboxLicence = () =>
  `/*! ${readFileSync(require.resolve("workbox-core/LICENSE"), "utf8").trim()} */`;

/** The staff's Korean, read from its catalogue. */
const catalogues = {
  name: "catalogues",
  transform(source: string, id: string) {
    if (!id.endsWith(".po")) return null;
    const texts = PO.parse(source).items.map(({ msgid, msgstr }) => [msgid, msgstr[0]]);
    return { code: `export default ${JSON.stringify(Object.fromEntries(texts))}`, map: null };
  },
};

/** What each build is made of; the screens' is the one without a name. */
const inputs: Readonly<Record<string, string | string[]>> = {
  staff: staffPages,
  worker: "src/worker/worker.ts",
};
const outputs: Readonly<Record<string, object>> = {
  staff: {},
  // Some browsers take no module for a worker.
  worker: { format: "iife", postBanner: workboxLicence },
};

// What nearly every screen needs (40 of its 55 parts) is one file: small chunks compress badly, 1.1 KB more of each page.
const screens = { codeSplitting: { groups: [{ name: "shared", minShareCount: 40 }] } };

// Three builds into one folder: with the admin's entries beside it, main.tsx could not hold what all screens share.
export default defineConfig(({ command, mode }) => ({
  // The page shell (templates/spa.html) reads the manifest and serves the files from here.
  base: command === "build" ? "/static/app/" : "/",
  plugins: [tailwindcss({ optimize: false }), react(), catalogues],
  resolve: { alias: { "@": fileURLToPath(new URL("src", import.meta.url)) } },
  build: {
    outDir: "dist",
    emptyOutDir: !(mode in inputs),
    manifest: mode in inputs ? `.vite/${mode}.json` : true,
    target: "es2022",
    // Browsers that know light-dark(): otherwise every token would be rewritten and doubled.
    cssTarget: ["chrome123", "firefox120", "safari17.5"],
    sourcemap: false,
    // The policy of the page allows no data: addresses.
    assetsInlineLimit: 0,
    // The list of what each screen is made of would be 2 KB of every first load; the service worker has the files.
    modulePreload: false,
    rolldownOptions: {
      input: inputs[mode] ?? "src/app/main.tsx",
      // Texts of the contract go where they are used; else all of them would be in the first load.
      optimization: { inlineConst: { mode: "all" } },
      output: outputs[mode] ?? screens,
    },
  },
  server: {
    host: "127.0.0.1",
    proxy: Object.fromEntries(
      ["/api", "/media", "/files", "/accent.css"].map((path) => [path, portal]),
    ),
  },
  test: {
    environment: "jsdom",
    setupFiles: ["src/test/setup.ts"],
    css: { modules: { classNameStrategy: "non-scoped" } },
    restoreMocks: true,
    testTimeout: 60_000,
    // Without it one core of two is left idle.
    maxWorkers: "100%",
    projects: [
      {
        extends: true,
        test: {
          name: "screens",
          include: ["src/**/*.test.{ts,tsx}"],
          // One document for the files of a worker, so that libraries are loaded once. src/test/setup.ts puts back
          // what tests leave behind; a test must not replace modules (vi.mock), which others have loaded already.
          isolate: false,
        },
      },
      // The admin's scripts listen on the page itself: each file has a document of its own.
      { extends: true, test: { name: "staff", include: ["staff/**/*.test.ts"] } },
    ],
  },
}));
