import { render, screen, waitFor } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { expect, it, vi } from "vitest";
import { MenuButton } from "./MenuButton";

function setup(codes: string[]) {
  const chosen = vi.fn();
  render(
    <MenuButton
      placeholder="None yet"
      entries={codes.map((code) => ({ key: code, content: code, onSelect: () => chosen(code) }))}
    >
      Recent Orders
    </MenuButton>,
  );
  return { user: userEvent.setup(), chosen, button: screen.getByRole("button") };
}

it("opens on a press, closes on the next one and on Escape, and keeps the focus", async () => {
  const { user, button } = setup(["A-1"]);
  await user.click(button);
  expect(await screen.findByRole("menuitem", { name: "A-1" })).toBeVisible();
  expect(button).toHaveAttribute("aria-expanded", "true");
  await user.click(button);
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());

  await user.click(button);
  await screen.findByRole("menu");
  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
  await waitFor(() => expect(button).toHaveFocus());
});

it("chooses with the keyboard and closes", async () => {
  const { user, button, chosen } = setup(["A-1", "A-2"]);
  await user.click(button);
  // The popup takes the focus a frame after it shows, and an entry a frame after its key.
  const menu = await screen.findByRole("menu");
  await waitFor(() => expect(menu).toHaveFocus());
  for (const code of ["A-1", "A-2"]) {
    await user.keyboard("{ArrowDown}");
    await waitFor(() => expect(screen.getByRole("menuitem", { name: code })).toHaveFocus());
  }
  await user.keyboard("{Enter}");
  await waitFor(() => expect(chosen).toHaveBeenCalledExactlyOnceWith("A-2"));
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
});

it("says that there is nothing to choose", async () => {
  const { user, button } = setup([]);
  await user.click(button);
  expect(await screen.findByText("None yet")).toBeVisible();
});

it("stands after its button in the page, so that Tab goes on from there", async () => {
  const { user, button } = setup(["A-1"]);
  await user.click(button);
  const menu = await screen.findByRole("menu");
  expect(button.nextElementSibling).toContainElement(menu);
});
