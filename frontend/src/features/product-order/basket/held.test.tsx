import { screen, waitFor, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderScreen } from "@/test/render";
import { answer } from "@/test/server";
import { basketOf, product } from "../testing";
import OrderHeld from "./OrderHeld";

function answerOffers(lines: { sku: string; count: number }[]) {
  const pieces = lines.reduce((sum, line) => sum + line.count, 0);
  const offers = { lines, pieces, until: pieces ? "Thu 26 Nov" : "" };
  return answer("get", "/account/wishes", { success: 1, wishes: [], offers, next: null });
}

it("shows what is held with its prices and sum before it orders it at just those", async () => {
  const lines = basketOf({ A: 30, B: 3 });
  answerOffers(lines);
  const products = [product("A", { held: 30 }), product("B", { held: 3, usd_supply: 9 })];
  answer("post", "/product/cart/stock", { success: 1, result: products });
  const asked = answer("post", "/temp-order", { success: 1, invoice_code: "MHW-261124-0007" });
  const { user, where } = renderScreen(<OrderHeld />);
  expect(await screen.findByText("33 pieces of 2 products reserved for you")).toBeVisible();
  expect(screen.getByText("Reserved until Thu 26 Nov, then offered to others.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Order reserved items" }));
  const dialog = within(await screen.findByRole("dialog"));
  const shown = dialog.getAllByRole("listitem").map(({ textContent }) => textContent);
  expect(shown).toEqual(["Name of A30 × $12.50", "Name of B3 × $9.00"]);
  expect(dialog.getByText("Subtotal").nextElementSibling).toHaveTextContent("$402.00");
  expect(asked).toHaveLength(0);
  await user.click(dialog.getByRole("button", { name: "Confirm" }));
  await waitFor(() => expect(where()).toBe("/order/checkout-deposit/MHW-261124-0007"));
  expect(asked[0]?.body).toMatchObject({
    total: 402,
    product: [
      { sku: "A", count: 30, seen_price: 12.5 },
      { sku: "B", count: 3, seen_price: 9 },
    ],
  });
});

it("says nothing where nothing is held", async () => {
  const calls = answerOffers([]);
  renderScreen(<OrderHeld />);
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(screen.queryByRole("region")).toBeNull();
});
