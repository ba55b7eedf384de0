import { screen } from "@testing-library/react";
import { lazy, useState } from "react";
import { expect, it, vi } from "vitest";
import { renderScreen } from "@/test/render";
import { Part } from "./popup";

const Popup = lazy(() => Promise.reject(new Error("The popup's files did not come")));

function Page() {
  const [isAsked, setAsked] = useState(false);
  return (
    <>
      <button type="button" onClick={() => setAsked(true)}>
        Recent Orders
      </button>
      <Part>{isAsked && <Popup />}</Part>
    </>
  );
}

it("leaves the page as it is where a popup's files do not come, and says why", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const { user } = renderScreen(<Page />);
  await user.click(screen.getByRole("button", { name: "Recent Orders" }));
  expect(await screen.findByText("You are offline.")).toBeVisible();
  expect(screen.getByRole("button", { name: "Recent Orders" })).toBeVisible();
});
