import { screen } from "@testing-library/react";
import { useState } from "react";
import { expect, it, vi } from "vitest";
import { renderScreen } from "@/test/render";
import { ErrorBoundary } from "./ErrorBoundary";

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
