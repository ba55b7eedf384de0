import { existsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { defineConfig } from "@playwright/test";

const running = process.env.PORTAL_URL;
const ports = (process.env.E2E_PORTS ?? "8123,8124").split(",");
process.env.E2E_FOLDER ??= join(tmpdir(), `portal-e2e-${process.pid}`); // workers inherit the name
/** A portal for each worker: its port, that of its PayPal, and its data folder, whose mails journeys read. */
const portals = Array.from({ length: ports.length / 2 }, (_, place) => ({
  E2E_PORT: String(ports[2 * place]),
  E2E_PAYPAL_PORT: String(ports[2 * place + 1]),
  E2E_DATA_DIR: `${process.env.E2E_FOLDER}-${place}`,
}));
const urlOf = (portal?: (typeof portals)[0]) => `http://127.0.0.1:${portal?.E2E_PORT}`;
const own = portals[Number(process.env.TEST_PARALLEL_INDEX)]; // a worker reads this file too
if (own && !running) Object.assign(process.env, own);
const system = process.env.CHROMIUM || "/usr/bin/chromium";
const installed = existsSync(system) ? { executablePath: system } : {};

/** Journeys through the portal as it ships: a data folder of its own, SQLite, the demo data, the built front end. */
export default defineConfig({
  testDir: "e2e",
  // The journeys of a worker share one portal and its stock.
  workers: running ? 1 : portals.length,
  fullyParallel: false,
  forbidOnly: true,
  timeout: 180_000,
  expect: { timeout: 15_000 },
  reporter: "list",
  use: {
    baseURL: running ?? urlOf(own),
    viewport: { width: 1440, height: 900 },
    actionTimeout: 30_000,
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
        webServer: portals.map((portal) => ({
          command: "sh e2e/serve.sh",
          env: portal,
          url: `${urlOf(portal)}/readyz`,
          timeout: 240_000,
          gracefulShutdown: { signal: "SIGTERM", timeout: 10_000 },
        })),
      }),
});
