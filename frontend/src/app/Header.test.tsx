import { screen, waitFor } from "@testing-library/react";
import { afterEach, expect, it } from "vitest";
import { theme } from "@/shared/theme";
import { user as buyer } from "@/test/builders";
import { renderScreen } from "@/test/render";
import { answer } from "@/test/server";
import { AccountButton } from "./Header";

afterEach(() => theme.choose("system"));

it("names the company, and opens its menu with the theme, which stays open for another try", async () => {
  const found = { success: 1, owed: 1983.4, wallet: 6060.2, documents: 64, addresses: 3 };
  answer("get", "/account/counts", { ...found, baskets: 4 });
  const { user } = renderScreen(<AccountButton user={buyer()} />);
  const button = screen.getByRole("button", { name: "Brightwater Trading Co." });
  await user.click(button);
  expect(await screen.findByText(buyer().email)).toBeVisible();
  expect(await screen.findByRole("menuitem", { name: "Account $1,983.40 due" })).toBeVisible();
  for (const name of ["Statement", "Wallet $6,060.20", "Baskets 4"]) {
    expect(screen.getByRole("menuitem", { name })).toBeVisible();
  }
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
