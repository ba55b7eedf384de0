import { act, render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it } from "vitest";
import { AlertHost } from "./AlertHost";
import { alert, alertSuccess, confirm } from "./alerts";

it("shows one alert at a time, in the order in which they were asked", async () => {
  const user = userEvent.setup();
  render(<AlertHost />);
  const answered: string[] = [];
  act(() => {
    void alert("First.").then(() => answered.push("first"));
    void alert("Second.").then(() => answered.push("second"));
  });

  expect(await screen.findByRole("alertdialog", { description: "First." })).toBeVisible();
  expect(screen.queryByText("Second.")).toBeNull();
  await user.click(screen.getByRole("button", { name: "OK" }));

  expect(await screen.findByRole("alertdialog", { description: "Second." })).toBeVisible();
  expect(answered).toEqual(["first"]);
  await user.keyboard("{Escape}");
  await waitFor(() => expect(answered).toEqual(["first", "second"]));
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

it("answers a question with what was pressed; Escape is Cancel", async () => {
  const user = userEvent.setup();
  render(<AlertHost />);
  for (const [press, answer] of [
    ["Confirm", true],
    ["Cancel", false],
  ] as const) {
    const asked = confirm("Change it?");
    await user.click(await screen.findByRole("button", { name: press }));
    expect(await asked).toBe(answer);
  }
  const asked = confirm("Change it?");
  await screen.findByRole("alertdialog");
  await user.keyboard("{Escape}");
  expect(await asked).toBe(false);
});

it("has the focus on OK and on Confirm, but on Cancel where something is destroyed", async () => {
  const user = userEvent.setup();
  render(<AlertHost />);
  const focusOn = async (name: string) =>
    waitFor(() => expect(screen.getByRole("button", { name })).toHaveFocus());

  act(() => void alert("Note."));
  await focusOn("OK");
  await user.keyboard("{Enter}");
  act(() => void confirm("Change it?"));
  await focusOn("Confirm");
  await user.keyboard("{Escape}");
  act(() => void confirm("Delete it?", { destroys: true }));
  await focusOn("Cancel");
});

it("warns with a triangle and reports success with a tick", async () => {
  const user = userEvent.setup();
  render(<AlertHost />);
  const icon = async (description: string) =>
    (await screen.findByRole("alertdialog", { description })).querySelector("svg");

  act(() => void alert("Wrong."));
  expect(await icon("Wrong.")).toHaveClass("lucide-triangle-alert");
  await user.click(screen.getByRole("button", { name: "OK" }));
  act(() => void alertSuccess("Saved."));
  expect(await icon("Saved.")).toHaveClass("lucide-circle-check");
});

it("gives the focus back to the opener, or to the h1 if that is gone", async () => {
  const user = userEvent.setup();
  const { rerender } = render(
    <main>
      <h1 tabIndex={-1}>Page</h1>
      <button type="button" onClick={() => void alert("Note.")}>
        Open
      </button>
      <AlertHost />
    </main>,
  );
  await user.click(screen.getByRole("button", { name: "Open" }));
  await user.click(await screen.findByRole("button", { name: "OK" }));
  await waitFor(() => expect(screen.getByRole("button", { name: "Open" })).toHaveFocus());

  await user.click(screen.getByRole("button", { name: "Open" }));
  await screen.findByRole("button", { name: "OK" });
  rerender(
    <main>
      <h1 tabIndex={-1}>Page</h1>
      <AlertHost />
    </main>,
  );
  await user.click(await screen.findByRole("button", { name: "OK" }));
  await waitFor(() => expect(screen.getByRole("heading", { name: "Page" })).toHaveFocus());
});
