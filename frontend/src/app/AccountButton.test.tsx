import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { theme } from "@/shared/theme";
import { user as buyer } from "@/test/builders";
import { renderScreen } from "@/test/render";
import { AccountButton } from "./AccountButton";

afterEach(() => theme.choose("system"));

it("names the company, and opens its menu with the theme, which stays open for another try", async () => {
  const { user } = renderScreen(<AccountButton user={buyer()} />);
  const button = screen.getByRole("button", { name: "Brightwater Trading Co." });
  await user.click(button);
  expect(await screen.findByText(buyer().email)).toBeVisible();
  const choice = (name: string) => screen.getByRole("menuitemradio", { name });
  expect(choice("System")).toBeChecked();

  await user.click(choice("Dark"));
  expect(choice("Dark")).toBeChecked();
  expect(document.documentElement).toHaveAttribute("data-theme", "dark");
  await user.click(choice("System"));
  expect(document.documentElement).not.toHaveAttribute("data-theme");

  await user.keyboard("{Escape}");
  await waitFor(() => expect(screen.queryByRole("menu")).toBeNull());
  await waitFor(() => expect(button).toHaveFocus());
});
