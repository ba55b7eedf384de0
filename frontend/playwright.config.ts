import { existsSync, mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";

const port = Number(process.env.E2E_PORT ?? 8123);
process.env.E2E_PAYPAL_PORT ??= String(port + 1);
const running = process.env.PORTAL_URL;
const system = process.env.CHROMIUM || "/usr/bin/chromium";
// Named here, because the journeys read its mails. Workers inherit the name.
if (!running) process.env.E2E_DATA_DIR ??= mkdtempSync(join(tmpdir(), "portal-e2e-"));
const installed = existsSync(system) ? { executablePath: system } : {};

/** Journeys through the portal as it ships: a data folder of its own, SQLite, the demo data, the built front end. */
export default defineConfig({
  testDir: "e2e",
  // The journeys share one portal and its stock.
  workers: 1,
  fullyParallel: false,
  forbidOnly: true,
  timeout: 180_000,
  expect: { timeout: 15_000 },
  reporter: "list",
  use: {
    baseURL: running ?? `http://127.0.0.1:${port}`,
    viewport: { width: 1440, height: 900 },
    // Calls that go through one cannot be answered by a test; offline.spec.ts has it.
    serviceWorkers: "block",
    // Nothing on the way is waited for. Traces cost a sixth of the run: `npx playwright test --trace on` makes them.
    contextOptions: { reducedMotion: "reduce" },
    launchOptions: {
      ...installed,
      args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking"],
    },
  },
  // PORTAL_URL drives a portal that runs already, for looking at one journey again and again; journeys
  // that read mails need its data folder in E2E_DATA_DIR too.
  ...(running
    ? {}
    : {
        webServer: {
          command: "sh e2e/serve.sh",
          env: { E2E_PORT: String(port) },
          url: `http://127.0.0.1:${port}/readyz`,
          timeout: 240_000,
          gracefulShutdown: { signal: "SIGTERM", timeout: 10_000 },
        },
      }),
});
