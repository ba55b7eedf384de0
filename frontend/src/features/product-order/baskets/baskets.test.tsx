import { onlineManager } from "@tanstack/react-query";
import { act, screen, waitFor } from "@testing-library/react";
import { HttpResponse, http } from "msw";
import { expect, it, vi } from "vitest";
import { outbox } from "@/shared/outbox";
import { user as buildUser } from "@/test/builders";
import { answerAlert, renderScreen } from "@/test/render";
import { answer, refuse, server } from "@/test/server";
import { basketOf, openShop, product, storedBasket } from "../testing";
import BasketsPart from "./BasketsPart";

const catalogue = [
  product("A"),
  product("B"),
  product("NONE", { qty: 0, selectable: 0, availability: "Sold out" }),
];
const CHRISTMAS = {
  uuid: "christmas",
  kind: "named" as "named" | "reset",
  name: "Christmas",
  is_own: 1 as const,
  owner: "Mara Lind",
  is_shared: 0 as const,
  count: 2,
  pieces: 40,
  total: 500,
  saved_at: "2026-11-20T10:00:00Z",
};
const LINES = basketOf({ A: 20, NONE: 10 });

function keeps(...result: (typeof CHRISTMAS)[]) {
  answer("get", "/baskets", { success: 1, result, has_next: false, next: null });
  answer("get", "/baskets/{basket}", { success: 1, ...CHRISTMAS, lines: LINES });
  return answer("put", "/baskets/{basket}", { success: 1 });
}

async function choose(user: { click: (element: Element) => Promise<void> }, entry: RegExp) {
  await user.click(await screen.findByRole("button", { name: "More" }));
  await user.click(await screen.findByRole("menuitem", { name: entry }));
}

it("saves the basket under a name, and says in place what the server refuses", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { user } = openShop({ catalogue, basket: { A: 10 } });
  const calls = keeps();
  await screen.findByRole("spinbutton", { name: "Quantity, Name of A" });
  await choose(user, /^Save this basket as/);
  await user.click(await screen.findByRole("button", { name: "Save" }));
  expect(screen.getByText("Please enter a name.")).toBeVisible();
  await user.type(screen.getByRole("textbox", { name: /^Name/ }), "Store Berlin");
  await user.click(screen.getByRole("checkbox", { name: "Share it with my colleagues" }));
  const message = "You already have a basket with this name.";
  refuse("put", "/baskets/{basket}", { status: 400, body: { message } });
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText(message)).toBeVisible();
  const saved = answer("put", "/baskets/{basket}", { success: 1 });
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(await screen.findByText("“Store Berlin” saved.")).toBeVisible();
  const lines = basketOf({ A: 10 });
  expect(saved[0]?.body).toEqual({ kind: "named", name: "Store Berlin", is_shared: 1, lines });
  expect(calls).toEqual([]);
});

it("shows named baskets before what was kept by itself", async () => {
  const { user } = openShop({ catalogue });
  const former = Array.from({ length: 6 }, (_, at) => ({
    ...CHRISTMAS,
    uuid: `former-${at}`,
    kind: "reset" as const,
    name: "",
  }));
  keeps(...former, CHRISTMAS);
  await user.click(await screen.findByRole("button", { name: "More" }));
  await screen.findByRole("menuitem", { name: /^All baskets/ });
  const entries = screen.getAllByRole("menuitem").map(({ textContent }) => textContent);
  expect(entries).toHaveLength(8);
  expect(entries[1]).toMatch(/^Christmas/);
  expect(entries[2]).toMatch(/^Before Reset/);
});

it("renames and deletes without a connection: at once here, later at the portal", async () => {
  keeps(CHRISTMAS, { ...CHRISTMAS, uuid: "easter", name: "Easter" });
  const { user } = renderScreen(<BasketsPart />);
  const chooseFor = async (name: string, entry: string) => {
    await user.click(await screen.findByRole("button", { name: `More, ${name}` }));
    await user.click(await screen.findByRole("menuitem", { name: entry }));
  };
  await screen.findByRole("heading", { name: "Easter" });
  act(() => onlineManager.setOnline(false));
  await chooseFor("Easter", "Delete");
  await answerAlert(user, "“Easter” will be deleted.", "Confirm");
  await waitFor(() => expect(screen.queryByText("Easter")).toBeNull());
  await chooseFor("Christmas", "Rename");
  await user.type(await screen.findByRole("textbox", { name: /^Name/ }), " 2027");
  await user.click(screen.getByRole("button", { name: "Save" }));
  expect(
    await screen.findByText("“Christmas 2027” will be saved when you are back."),
  ).toBeVisible();
  expect(await outbox.list(buildUser().uuid)).toMatchObject([
    { kind: "basket-gone", basket: "easter" },
    { kind: "basket-name", basket: "christmas", body: { name: "Christmas 2027", is_shared: 0 } },
  ]);
  expect(await screen.findByRole("heading", { name: "Christmas 2027" })).toBeVisible();
});

it("keeps what Reset took away where no answer comes, and where it cannot, its Undo", async () => {
  vi.spyOn(console, "error").mockImplementation(() => undefined);
  const { user } = openShop({ catalogue, basket: { A: 10 } });
  await screen.findByRole("spinbutton", { name: "Quantity, Name of A" });
  server.use(http.put("*/api/baskets/:basket", () => HttpResponse.error()));
  await user.click(screen.getByRole("button", { name: "Reset" }));
  const former = { kind: "basket", body: { kind: "reset", lines: basketOf({ A: 10 }) } };
  await waitFor(async () => expect(await outbox.list(buildUser().uuid)).toMatchObject([former]));
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(storedBasket()).toEqual(basketOf({ A: 10 }));

  refuse("put", "/baskets/{basket}", { status: 500 });
  await user.click(screen.getByRole("button", { name: "Reset" }));
  await screen.findByText(/could not be saved\.$/);
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(storedBasket()).toEqual(basketOf({ A: 10 }));
});

it.each([
  { button: "Add to them", lines: basketOf({ B: 10, A: 20 }), kept: 0 },
  { button: "Replace them", lines: basketOf({ A: 20 }), kept: 1 },
])("asks over a filled basket: $button", async ({ button, lines, kept }) => {
  const { user } = openShop({ catalogue, basket: { B: 10 } });
  const calls = keeps(CHRISTMAS);
  await screen.findByRole("spinbutton", { name: "Quantity, Name of B" });
  await choose(user, /^Christmas\$500\.002 products · only you/);
  await user.click(await screen.findByRole("button", { name: button }));
  await waitFor(() => expect(storedBasket()).toEqual(lines));
  expect(screen.getByText("Removed: not available now.")).toBeVisible();
  await waitFor(() => expect(calls).toHaveLength(kept));
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(storedBasket()).toEqual(basketOf({ B: 10 }));
});

it("opens without a question where the basket is empty, and leads to all of them", async () => {
  const { user, where } = openShop({ catalogue });
  keeps(CHRISTMAS);
  await choose(user, /^Christmas/);
  await waitFor(() => expect(storedBasket()).toEqual(basketOf({ A: 20 })));
  await choose(user, /^All baskets/);
  await waitFor(() => expect(where()).toBe("/account/baskets"));
});

it.each([
  { how: "add", notice: "“Christmas” added.", lines: ["B", "A"], kept: 0 },
  { how: "open", notice: undefined, lines: ["A"], kept: 1 },
])("is led to by the account's page, once: $how", async ({ how, notice, lines, kept }) => {
  const at = `/order?${how}=christmas&panel=basket`;
  const { user, where } = openShop({ catalogue, basket: { B: 10 }, at });
  const calls = keeps(CHRISTMAS);
  if (notice) expect(await screen.findByText(notice)).toBeVisible();
  else await user.click(await screen.findByRole("button", { name: "Replace them" }));
  await waitFor(() =>
    expect((storedBasket() as { sku: string }[]).map(({ sku }) => sku)).toEqual(lines),
  );
  await waitFor(() => expect(calls).toHaveLength(kept));
  await waitFor(() => expect(where()).toBe("/order?panel=basket"));
});

it("says that a basket is gone to which an address leads", async () => {
  const { where } = openShop({ catalogue, basket: { B: 10 }, at: "/order?open=other" });
  refuse("get", "/baskets/{basket}", {
    status: 404,
    body: { code: "not_found", message: "Not found." },
  });
  expect(await screen.findByText("This basket is no longer there.")).toBeVisible();
  await waitFor(() => expect(where()).toBe("/order"));
  expect(storedBasket()).toEqual(basketOf({ B: 10 }));
});

it("lists them on the account's page: whose they are, renamed, shared and deleted", async () => {
  const theirs = { ...CHRISTMAS, uuid: "berlin", name: "Store Berlin", is_own: 0 as const };
  keeps(CHRISTMAS, theirs as unknown as typeof CHRISTMAS);
  const named = answer("put", "/baskets/{basket}/name", { success: 1 });
  const deleted = answer("delete", "/baskets/{basket}", { success: 1 });
  const { user } = renderScreen(<BasketsPart />);
  const open = await screen.findByRole("link", { name: "Open, Christmas" });
  expect(open).toHaveAttribute("href", "/order?open=christmas&panel=basket");
  const add = screen.getByRole("link", { name: "Add, Store Berlin" });
  expect(add).toHaveAttribute("href", "/order?add=berlin&panel=basket");
  expect(screen.getByText("2 products · only you · 40 pieces")).toBeVisible();
  // What is a colleague's is not the buyer's to change.
  expect(screen.queryByRole("button", { name: "More, Store Berlin" })).toBeNull();
  const choose = async (entry: string) => {
    await user.click(screen.getByRole("button", { name: "More, Christmas" }));
    await user.click(await screen.findByRole("menuitem", { name: entry }));
  };
  await choose("Share");
  await waitFor(() => expect(named[0]?.body).toEqual({ name: "Christmas", is_shared: 1 }));
  await choose("Rename");
  await user.type(await screen.findByRole("textbox", { name: /^Name/ }), " 2027");
  await user.click(screen.getByRole("button", { name: "Save" }));
  await waitFor(() => expect(named[1]?.body).toEqual({ name: "Christmas 2027", is_shared: 0 }));
  await choose("Delete");
  await answerAlert(user, "“Christmas” will be deleted.", "Confirm");
  await waitFor(() => expect(deleted).toHaveLength(1));
});
