import { onlineManager } from "@tanstack/react-query";
import { fireEvent, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { beforeEach, describe, expect, it, vi } from "vitest";
import { token } from "@/shared/token";
import { user as buyer } from "@/test/builders";
import { answerAlert } from "@/test/render";
import { answer, hang, refuse, server } from "@/test/server";
import { DASHBOARD, open, openSignedIn, signIn } from "./testing";

const EXPIRED = "Your login information has expired. Please log in again.";
function deferred() {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => {
    resolve = done;
  });
  return { promise, resolve };
}

beforeEach(() => {
  answer("post", "/dashboard", DASHBOARD);
  // The screens have tests of their own; here they are no more than their headings.
  hang("get", "/brand/{uuid}");
  hang("get", "/product/promotion/stock/{uuid}");
  hang("get", "/product/stock/{uuid}/{brand_id}");
  hang("get", "/temp-order-info/stock/{invoice_code}");
  hang("get", "/temp-orders");
  hang("get", "/order/{status_id}");
  hang("get", "/details/{invoice_code}");
  hang("get", "/config");
});

describe("at the start", () => {
  it("a visitor without a token is logged out, and no call is made", async () => {
    const { where } = open("/");
    expect(await screen.findByRole("heading", { name: "Sign in" })).toBeVisible();
    expect(where()).toBe("/login");
    expect(screen.queryByRole("navigation")).toBeNull();
  });

  it("nothing but a splash shows until the check has answered", async () => {
    token.set("stored");
    const { promise, resolve: respond } = deferred();
    const checks = answer("post", "/check", async () => {
      await promise;
      return { success: 1, token: "renewed", user: buyer() };
    });
    const { where } = open("/");
    await waitFor(() => expect(checks).toHaveLength(1));
    expect(screen.queryByRole("heading")).toBeNull();
    respond();
    expect(await screen.findByRole("heading", { name: "Dash board" })).toBeVisible();
    expect(where()).toBe("/dashboard");
    expect(token.get()).toBe("renewed");
  });

  it("an expired token ends in the sign-in, with the alert and an empty storage", async () => {
    token.set("stored");
    localStorage.setItem("basket", "[]");
    answer("post", "/check", { success: -1 });
    const { user, where } = open("/invoice/2?invoice_code=A-1");
    await answerAlert(user, EXPIRED);
    expect(where()).toBe("/login");
    expect(localStorage).toHaveLength(0);
  });

  it("a portal that cannot be reached keeps the token and offers another try", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    token.set("stored");
    refuse("post", "/check", { status: 502 });
    const { user } = open("/");
    const again = await screen.findByRole("button", { name: "Try again" });
    expect(token.get()).toBe("stored");
    answer("post", "/check", { success: 1, token: "renewed", user: buyer() });
    await user.click(again);
    expect(await screen.findByRole("heading", { name: "Dash board" })).toBeVisible();
  });
});

describe("without the portal", () => {
  const cut = () => server.use(http.all("*", () => HttpResponse.error()));

  // What the proxy says to calls while no instance answers (deploy/Caddyfile).
  const away = () =>
    server.use(
      http.all("*", () => HttpResponse.json({ success: 0, code: "unavailable" }, { status: 503 })),
    );

  it.each([
    ["no connection", cut],
    ["a proxy alone", away],
  ])(
    "with %s a reload shows the app with its bar to the buyer who was there, and checks once the portal is back",
    async (_, lose) => {
      vi.spyOn(console, "error").mockImplementation(() => undefined);
      const first = openSignedIn("/Setting");
      await screen.findByRole("heading", { name: "System" });
      first.unmount();
      lose();
      const { where } = open("/Setting");
      expect(await screen.findByText(/^You are offline\./)).toBeVisible();
      expect(screen.getByRole("heading", { name: "System" })).toBeVisible();
      expect(where()).toBe("/Setting");
      server.resetHandlers();
      const checks = answer("post", "/check", { success: 1, token: "newer", user: buyer() });
      onlineManager.setOnline(true);
      await waitFor(() => expect(token.get()).toBe("newer"));
      expect(checks).toHaveLength(1);
    },
  );

  it("a reload after a sign-out shows nobody's app", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    const { user, unmount } = openSignedIn("/Setting");
    await user.click(await screen.findByRole("button", { name: "Logout" }));
    await screen.findByRole("heading", { name: "Sign in" });
    unmount();
    expect(localStorage).toHaveLength(0);
    cut();
    token.set("of somebody else");
    open("/Setting");
    expect(await screen.findByRole("button", { name: "Try again" })).toBeVisible();
    expect(screen.queryByRole("banner")).toBeNull();
  });
});

describe("the remembered page", () => {
  it("is shown after the sign-in, with its query", async () => {
    const { user, where } = open("/invoice/2?invoice_code=A-1");
    await signIn(user);
    await waitFor(() => expect(where()).toBe("/invoice/2?invoice_code=A-1"));
  });

  it("is also the one at which the session expired", async () => {
    const { user, where } = openSignedIn("/order");
    await screen.findByRole("heading", { name: "Product order" });
    refuse("post", "/dashboard", { status: 403, body: { message: EXPIRED } });
    await user.click(screen.getAllByRole("link", { name: "Dash board" })[0] as HTMLElement);
    await answerAlert(user, EXPIRED);
    expect(where()).toBe("/login");
    await signIn(user);
    await waitFor(() => expect(where()).toBe("/dashboard"));
  });

  it("is forgotten by a Logout", async () => {
    const { user, where } = openSignedIn("/order");
    localStorage.setItem("basket", "[]");
    await user.click(await screen.findByRole("button", { name: "Logout" }));
    await screen.findByRole("heading", { name: "Sign in" });
    expect(localStorage).toHaveLength(0);
    await signIn(user);
    await waitFor(() => expect(where()).toBe("/dashboard"));
  });
});

describe("a session under way", () => {
  it("alerts once, however many calls find it expired", async () => {
    refuse("post", "/dashboard", { status: 403, body: { message: EXPIRED } });
    refuse("get", "/dashboard/quick/{uuid}/{invoice_number}", {
      status: 403,
      body: { message: EXPIRED },
    });
    const { user } = openSignedIn("/order");
    await user.type(await screen.findByRole("searchbox", { name: "Invoice Number" }), "A-1{Enter}");
    await answerAlert(user, EXPIRED);
    expect(await screen.findByRole("heading", { name: "Sign in" })).toBeVisible();
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });

  it("is renewed on focus once the token is older than 12 hours", async () => {
    vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-11-20T08:00:00Z") });
    token.set("stored");
    const checks = answer("post", "/check", { success: 1, token: "renewed", user: buyer() });
    open("/order");
    await screen.findByRole("heading", { name: "Product order" });
    vi.setSystemTime(new Date("2026-11-20T19:59:00Z"));
    fireEvent.focus(window);
    vi.setSystemTime(new Date("2026-11-20T20:01:00Z"));
    fireEvent.focus(window);
    await waitFor(() => expect(checks).toHaveLength(2));
    expect(checks[1]?.body).toEqual({ token: "renewed" });
    vi.useRealTimers();
  });

  it("ends when another tab logs out", async () => {
    openSignedIn("/order");
    await screen.findByRole("heading", { name: "Product order" });
    localStorage.clear();
    fireEvent(window, new StorageEvent("storage", { key: null }));
    expect(await screen.findByRole("heading", { name: "Sign in" })).toBeVisible();
    expect(screen.queryByRole("alertdialog")).toBeNull();
  });

  it("takes the token of another tab as it is: two tabs must not renew it in turn for ever", async () => {
    openSignedIn("/order");
    await screen.findAllByText(buyer().company);
    answer("post", "/check", {
      success: 1,
      token: "renewed again",
      user: buyer({ company: "Another company" }),
    });
    token.set("of the other tab");
    fireEvent(window, new StorageEvent("storage", { key: "token" }));
    await screen.findAllByText("Another company");
    expect(token.get()).toBe("of the other tab");
  });
});

describe("routes", () => {
  it.each(["/nope", "/invoice/6", "/invoice/x", "/order/nope"])("%s is no page", async (path) => {
    openSignedIn(path);
    expect(await screen.findByRole("heading", { name: "Page not found." })).toBeVisible();
    await waitFor(() => expect(document.title).toBe("Page not found. · Maren & Holt"));
  });

  it("show strangers that a page does not exist, without a header", async () => {
    open("/nope");
    expect(await screen.findByRole("heading", { name: "Page not found." })).toBeVisible();
    expect(screen.queryByRole("navigation")).toBeNull();
  });

  it("match without regard to case, and take the signed-in away from the sign-in", async () => {
    const { where } = openSignedIn("/LOGIN");
    await screen.findByRole("heading", { name: "Dash board" });
    expect(where()).toBe("/dashboard");
  });

  it("highlight their entry of the menu, also below its own path, beside the platform and company", async () => {
    openSignedIn("/ORDER/checkout-deposit/A-1");
    const current = await screen.findAllByRole("link", { current: "page" });
    expect(new Set(current.map((link) => link.textContent))).toEqual(new Set(["Product order"]));
    const names = /Maren & Holt.*Wholesale platform.*Brightwater Trading Co\./;
    expect(screen.getByRole("banner")).toHaveTextContent(names);
  });

  it("bring the focus to the h1 and their name into the title", async () => {
    const { user } = openSignedIn("/dashboard");
    await user.click(
      (await screen.findAllByRole("link", { name: "Order info" }))[0] as HTMLElement,
    );
    const heading = await screen.findByRole("heading", { name: "Order Information" });
    await waitFor(() => expect(heading).toHaveFocus());
    expect(document.title).toBe("Order Information · Maren & Holt");
  });
});

describe("the counters of the dashboard", () => {
  it("link to their order lists", async () => {
    openSignedIn("/dashboard");
    const shipped = await screen.findByRole("link", { name: /^Shipment Completed\s*28$/ });
    expect(shipped).toHaveAttribute("href", "/invoice/5");
    expect(screen.getByRole("link", { name: /^Completed Payment\s*0$/ })).toHaveAttribute(
      "href",
      "/invoice/4",
    );
  });

  it("say in place that they did not load, without an alert", async () => {
    vi.spyOn(console, "error").mockImplementation(() => undefined);
    refuse("post", "/dashboard", { status: 500, body: { code: "error", message: "x" } });
    const { user } = openSignedIn("/dashboard");
    const again = await screen.findByRole("button", { name: "Try again" });
    expect(screen.queryByRole("alertdialog")).toBeNull();
    answer("post", "/dashboard", DASHBOARD);
    await user.click(again);
    expect(await screen.findByRole("link", { name: /^Received Orders\s*2$/ })).toBeVisible();
  });
});
