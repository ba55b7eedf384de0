import { test as base } from "@playwright/test";

export * from "@playwright/test";

/**
 * Playwright's `test`, which leaves nothing open: a context of `browser.newContext` outlives its journey, and its pages
 * go on asking the portal beside all journeys after it.
 */
export const test = base.extend<{ nothingLeftOpen: undefined }>({
  nothingLeftOpen: [
    async ({ browser }, use) => {
      await use(undefined);
      await Promise.all(browser.contexts().map((context) => context.close()));
    },
    { auto: true },
  ],
});
