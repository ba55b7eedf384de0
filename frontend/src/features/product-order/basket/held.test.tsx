import { screen, waitFor } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderScreen } from "@/test/render";
import { answer } from "@/test/server";
import { OrderHeld } from "./OrderHeld";

function answerOffers(lines: { sku: string; count: number }[]) {
  const pieces = lines.reduce((sum, line) => sum + line.count, 0);
  const offers = { lines, pieces, until: pieces ? "Thu 26 Nov" : "" };
  return answer("get", "/account/wishes", { success: 1, wishes: [], offers, next: null });
}

it("orders what is held after a question, and leads to its deposit", async () => {
  const lines = [
    { sku: "A", count: 30 },
    { sku: "B", count: 3 },
  ];
  answerOffers(lines);
  const asked = answer("post", "/temp-order", { success: 1, invoice_code: "MHW-261124-0007" });
  const { user, where } = renderScreen(<OrderHeld />);
  expect(await screen.findByText("33 pieces of 2 products held for you")).toBeVisible();
  expect(screen.getByText("Until Thu 26 Nov; then the next one has it.")).toBeVisible();
  await user.click(screen.getByRole("button", { name: "Order what is held" }));
  await user.click(await screen.findByRole("button", { name: /OK|Confirm|Yes/ }));
  await waitFor(() => expect(where()).toBe("/order/checkout-deposit/MHW-261124-0007"));
  expect(asked[0]?.body).toMatchObject({ product: lines });
});

it("says nothing where nothing is held", async () => {
  const calls = answerOffers([]);
  renderScreen(<OrderHeld />);
  await waitFor(() => expect(calls).toHaveLength(1));
  expect(screen.queryByRole("region")).toBeNull();
});
