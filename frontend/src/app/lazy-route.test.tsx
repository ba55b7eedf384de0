import { render, screen, waitFor } from "@testing-library/react";
import { type ComponentType, Suspense, useState } from "react";
import { beforeEach, expect, it, vi } from "vitest";
import { renderScreen } from "@/test/render";
import { ErrorBoundary, lazyRoute } from "./lazy-route";

function show(Page: ComponentType) {
  return render(
    <ErrorBoundary>
      <Suspense fallback="waiting">
        <Page />
      </Suspense>
    </ErrorBoundary>,
  );
}

// An address of its own: a screen of an earlier test may still be on its way.
beforeEach(() => window.history.replaceState(null, "", "/lazy"));

it("reloads the page once for a chunk that is gone, then says that it did not work", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const reload = vi.fn();
  const gone = () => Promise.reject(new TypeError("Failed to fetch dynamically imported module"));

  const { unmount } = show(lazyRoute(gone, reload));
  await waitFor(() => expect(reload).toHaveBeenCalledOnce());
  expect(screen.getByText("waiting")).toBeVisible();
  unmount();

  show(lazyRoute(gone, reload));
  expect(await screen.findByRole("button", { name: "Try again" })).toBeVisible();
  expect(reload).toHaveBeenCalledOnce();
});

it("may reload again after a page that loaded", async () => {
  const reload = vi.fn();
  sessionStorage.setItem("reloaded/lazy", "1");
  show(lazyRoute(async () => ({ default: () => <p>Here</p> }), reload));
  expect(await screen.findByText("Here")).toBeVisible();
  expect(sessionStorage).toHaveLength(0);
});

it("is fetched ahead, and a failure ahead is nobody's matter", async () => {
  const load = vi.fn(async () => ({ default: () => <p>Here</p> }));
  const Page = lazyRoute(load);
  Page.fetchAhead();
  expect(load).toHaveBeenCalledOnce();
  show(Page);
  expect(await screen.findByText("Here")).toBeVisible();

  const reload = vi.fn();
  lazyRoute(() => Promise.reject(new TypeError("Failed to fetch")), reload).fetchAhead();
  await new Promise((done) => setTimeout(done));
  expect(reload).not.toHaveBeenCalled();
});

it("is not fetched ahead without a connection: a browser would not ask for it again", () => {
  const load = vi.fn(async () => ({ default: () => <p>Here</p> }));
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  lazyRoute(load).fetchAhead();
  expect(load).not.toHaveBeenCalled();
});

it("does not reload without a connection, which would leave the portal", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const reload = vi.fn();
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  show(lazyRoute(() => Promise.reject(new TypeError("Failed to fetch")), reload));
  (await screen.findByRole("button", { name: "Try again" })).click();
  expect(screen.getByRole("button", { name: "Try again" })).toBeVisible();
  expect(reload).not.toHaveBeenCalled();
  expect(sessionStorage).toHaveLength(0);
});

function Page() {
  const [isAsked, setAsked] = useState(false);
  if (isAsked) throw new Error("The dialog's files did not come");
  return (
    <button type="button" onClick={() => setAsked(true)}>
      Open
    </button>
  );
}

it("gives the page back without a connection where a dialog of it could not be fetched", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const { user } = renderScreen(
    <ErrorBoundary>
      <Page />
    </ErrorBoundary>,
  );
  await user.click(screen.getByRole("button", { name: "Open" }));
  await user.click(screen.getByRole("button", { name: "Try again" }));
  expect(screen.getByRole("button", { name: "Open" })).toBeVisible();
});
