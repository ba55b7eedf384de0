import { screen, waitFor, within } from "@testing-library/react";
import { expect, it, vi } from "vitest";
import type { BookAddress } from "@/api/addresses";
import { drafts } from "@/shared/drafts";
import { user as buyer, SHIP } from "@/test/builders";
import { answerAlert, renderScreen } from "@/test/render";
import { answer, refuse } from "@/test/server";
import { AddressesPart } from "./AddressesPart";

function entry(address_id: number, name: string, is_default = false): BookAddress {
  return { address_id, name, is_default, country: "Poland", state: "", ...SHIP };
}

function openBook(addresses = [entry(1, "Hamburg", true), entry(2, "Store Berlin")]) {
  const books = answer("get", "/account/addresses", {
    success: 1,
    addresses,
    default: SHIP,
    countryList: [{ address_id: 1, content: "Poland" }],
  });
  answer("post", "/register/find-state", { success: 1, stateList: [] });
  const checks = answer("post", "/check", { success: 1, token: "t", user: buyer() });
  return { books, checks, ...renderScreen(<AddressesPart />) };
}

it("shows the book, makes an address the default and asks who the buyer is anew", async () => {
  const { user, books, checks } = openBook();
  const card = (await screen.findByRole("heading", { name: "Hamburg" })).closest("li");
  expect(within(card as HTMLElement).getByText("Default")).toBeVisible();
  const calls = answer("put", "/account/addresses/{address_id}/default", { success: 1 });
  await user.click(screen.getByRole("button", { name: "Make default, Store Berlin" }));
  await waitFor(() => expect(checks).toHaveLength(1));
  expect(calls.map(({ params }) => params.address_id)).toEqual(["2"]);
  await waitFor(() => expect(books).toHaveLength(2));
});

it("shows a default that is not in the book, which comes back by Undo", async () => {
  const berlin = { ...entry(2, "Store Berlin"), ship_city: "Berlin" };
  const { user } = openBook([berlin]);
  const card = (await screen.findByRole("heading", { name: "Registered address" })).closest("li");
  expect(within(card as HTMLElement).getByText("Default")).toBeVisible();
  const calls = answer("put", "/account/addresses/{address_id}/default", { success: 1 });
  answer("get", "/account/addresses", {
    ...{ success: 1, default: SHIP, countryList: [{ address_id: 1, content: "Poland" }] },
    addresses: [entry(3, "Registered address"), { ...berlin, is_default: true }],
  });
  await user.click(screen.getByRole("button", { name: "Make default, Store Berlin" }));
  expect(await screen.findByText("Orders go to “Store Berlin” now.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Undo" }));
  await waitFor(() => expect(calls.map(({ params }) => params.address_id)).toEqual(["2", "3"]));
});

it("asks before it deletes an address", async () => {
  const { user } = openBook();
  const calls = answer("delete", "/account/addresses/{address_id}", { success: 1 });
  await user.click(await screen.findByRole("button", { name: "Delete Store Berlin" }));
  await answerAlert(user, "Delete the address “Store Berlin”?", "Confirm");
  await waitFor(() => expect(calls.map(({ params }) => params.address_id)).toEqual(["2"]));
});

it("wants a whole address, and says at the field that its name is taken", async () => {
  const { user } = openBook();
  await user.click(await screen.findByRole("button", { name: "Change Hamburg" }));
  const name = await screen.findByRole("textbox", { name: /^Name/ });
  await user.clear(name);
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("This field is required.")).toBeVisible();
  const body = { code: "invalid", message: "x", errors: { name: ["Taken."] } };
  const calls = refuse("put", "/account/addresses/{address_id}", { status: 400, body });
  vi.spyOn(console, "error").mockReturnValue(undefined);
  await user.type(name, "Store Berlin");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("Taken.")).toBeVisible();
  expect(calls).toHaveLength(1);
});

it("keeps an address that was not saved until it is", async () => {
  const { user, unmount } = openBook();
  await user.click(await screen.findByRole("button", { name: "Change Hamburg" }));
  const name = await screen.findByRole("textbox", { name: /^Name/ });
  await user.type(name, " harbour");
  const typed = { value: { name: "Hamburg harbour" } };
  await waitFor(async () => expect(await drafts.read(buyer().uuid, "book:1")).toMatchObject(typed));
  unmount();

  const again = openBook();
  await again.user.click(await screen.findByRole("button", { name: "Change Hamburg" }));
  await waitFor(() => expect(screen.getByDisplayValue("Hamburg harbour")).toBeVisible());
  expect(screen.getByText("Restored.")).toBeVisible();
  const sent = answer("put", "/account/addresses/{address_id}", { success: 1 });
  await again.user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(screen.queryByRole("dialog")).toBeNull());
  expect(sent[0]?.body).toMatchObject({ name: "Hamburg harbour" });
  await waitFor(async () => expect(await drafts.read(buyer().uuid, "book:1")).toBeNull());
});
