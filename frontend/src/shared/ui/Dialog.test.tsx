import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { useState } from "react";
import { expect, it, vi } from "vitest";
import { AlertHost } from "./AlertHost";
import { alert } from "./alerts";
import { Button } from "./Button";
import { Dialog } from "./Dialog";
import { TextField } from "./Field";

function Page({ onSubmit = () => undefined }: { onSubmit?: () => void }) {
  const [open, setOpen] = useState(false);
  return (
    <>
      <main>
        <h1 tabIndex={-1}>Order Information</h1>
      </main>
      <Button onClick={() => setOpen(true)}>Edit Address</Button>
      <Dialog
        open={open}
        onClose={() => setOpen(false)}
        title="Edit Address"
        subline="A-1"
        onSubmit={onSubmit}
        footer={
          <>
            <Button onClick={() => setOpen(false)}>Cancel</Button>
            <Button variant="primary" type="submit">
              Save
            </Button>
          </>
        }
      >
        <TextField label="City" defaultValue="" error="Needed." required />
      </Dialog>
      <AlertHost />
    </>
  );
}

it("opens on its first field, submits on Enter and gives the focus back", async () => {
  const user = userEvent.setup();
  const save = vi.fn();
  render(<Page onSubmit={save} />);
  const opener = screen.getByRole("button", { name: "Edit Address" });
  await user.click(opener);
  const dialog = await screen.findByRole("dialog", { name: "Edit Address", description: "A-1" });
  expect(dialog).toBeVisible();
  const city = screen.getByRole("textbox", { name: "City" });
  await waitFor(() => expect(city).toHaveFocus());
  expect(city).toBeRequired();
  expect(city).toBeInvalid();
  expect(city).toHaveAccessibleDescription("Needed.");

  await user.keyboard("{Enter}");
  expect(save).toHaveBeenCalledOnce();
  await user.click(screen.getByRole("button", { name: "Close" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  await waitFor(() => expect(opener).toHaveFocus());
});

it("stays open under an alert, whose Escape closes the alert alone", async () => {
  const user = userEvent.setup();
  render(<Page onSubmit={() => void alert("Please fill it in.")} />);
  await user.click(screen.getByRole("button", { name: "Edit Address" }));
  await user.click(await screen.findByRole("button", { name: "Save" }));
  await screen.findByRole("alertdialog", { description: "Please fill it in." });
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("alertdialog")).toBeNull());
  expect(screen.getByRole("dialog", { name: "Edit Address" })).toBeVisible();
});

it("sends a form once, however often it is pressed while that takes", async () => {
  const user = userEvent.setup();
  let finish = () => {};
  const save = vi.fn(() => new Promise<void>((resolve) => (finish = resolve)));
  render(<Page onSubmit={save} />);
  await user.click(screen.getByRole("button", { name: "Edit Address" }));
  const button = await screen.findByRole("button", { name: "Save" });
  await user.dblClick(button);
  expect(save).toHaveBeenCalledOnce();
  finish();
  await user.click(button);
  expect(save).toHaveBeenCalledTimes(2);
});
