import "@testing-library/jest-dom/vitest";
import "fake-indexeddb/auto";
import { onlineManager } from "@tanstack/react-query";
import { cleanup, configure } from "@testing-library/react";
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import { storedText } from "@/domain/stored-text";
import { probe } from "@/features/outbox/start-outbox";
import { localStore } from "@/shared/local-store";
import { dismissAlerts } from "@/shared/ui/alerts";
import { toasts } from "@/shared/ui/toasts";
import { server } from "./server";

// Popups are lazy chunks; the first import of one in a cold run takes longer than the default second.
configure({ asyncUtilTimeout: 5000 });

const portalConfig = document.createElement("script");
portalConfig.type = "application/json";
portalConfig.id = "portal-config";
portalConfig.textContent = JSON.stringify({
  title: "Maren & Holt",
  subtitle: "Wholesale platform",
  accent: "#337ab7",
  sales_email: "sales@marenholt.example",
  image_host: "/media/products",
  notes: {
    declaration: "YES declares your order to Korean customs.",
    responsibility: "I am responsible for any customs problems with an undeclared export.",
    shipping: "Shipping cost depends on product weight and distance.",
  },
  checklist: { title: "Checklist", points: ["A confirmed order cannot be modified."] },
});
if (!document.getElementById(portalConfig.id)) document.head.append(portalConfig);

// jsdom draws nothing: these exist in every browser.
window.scrollTo = () => undefined;
Element.prototype.scrollIntoView = () => undefined;
Element.prototype.checkVisibility ??= function (this: Element) {
  return !this.closest("[hidden]");
};
globalThis.ResizeObserver ??= class {
  observe() {}
  unobserve() {}
  disconnect() {}
};
globalThis.IntersectionObserver ??= class {
  readonly root = null;
  readonly rootMargin = "";
  readonly scrollMargin = "";
  readonly thresholds = [];
  observe() {}
  unobserve() {}
  disconnect() {}
  takeRecords() {
    return [];
  }
};
/** A desktop, unless a test says otherwise. */
window.matchMedia ??= (query) =>
  ({
    matches: false,
    media: query,
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }) as unknown as MediaQueryList;

/** What a test said on the console. One that has to say something silences it by a spy of its own. */
const said: unknown[][] = [];
// jsdom draws nothing, so the chart has no size.
const NO_SIZE = "The width(0) and height(0) of chart";

beforeAll(() => server.listen({ onUnhandledRequest: "error" }));
beforeEach(() => {
  said.length = 0;
  // What scrolls a list where no style sheet says so.
  document.documentElement.scrollTop = 0;
  for (const method of ["error", "warn"] as const) {
    vi.spyOn(console, method).mockImplementation((...words) => {
      if (!String(words[0]).startsWith(NO_SIZE)) said.push(words);
    });
  }
});
afterEach(() => expect(said).toEqual([]));
afterEach(() => localStore.removeWhere(() => true));
afterEach(() => {
  dismissAlerts();
  while (toasts.current()) toasts.dismiss();
  onlineManager.setOnline(true);
  cleanup();
  server.resetHandlers();
  storedText.clear();
  sessionStorage.clear();
  window.history.replaceState(null, "");
});
// A look for the portal that a file began ends in it: it would take the next file offline.
afterAll(async () => {
  await probe();
  server.close();
});
