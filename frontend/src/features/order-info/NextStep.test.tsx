import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { openOrder } from "./testing";

const region = () => screen.findByRole("region", { name: "Next step" });

it("says of a cancelled order why, when, and what became of its money, and shows no total", async () => {
  const next_step = {
    kind: "cancelled",
    tone: "bad",
    title: "Cancelled on 15 Oct 2026",
    text: "The carrier lost the pallet.",
    amount: null,
    rows: [
      { text: "Received from you", amount: 2694.44, note: "10 Oct 2026" },
      { text: "Kept by the terms of use", amount: -100, note: "15 Oct 2026" },
      { text: "Refunded to your wallet", amount: 2594.44, note: "15 Oct 2026" },
    ],
  } as const;
  openOrder({
    status_id: 0,
    message: "Cancelled",
    next_step: { ...next_step, rows: [...next_step.rows] },
  });
  const step = await region();
  expect(step).toHaveTextContent("Cancelled on 15 Oct 2026The carrier lost the pallet.");
  expect([...step.querySelectorAll("dl > div")].map((row) => row.textContent)).toEqual([
    "Received from you10 Oct 2026$2,694.44",
    "Kept by the terms of use15 Oct 2026– $100.00",
    "Refunded to your wallet15 Oct 2026$2,594.44",
  ]);
  const wallet = within(step).getByRole("link", { name: "See it in the wallet" });
  expect(wallet).toHaveAttribute("href", "/account/wallet");
  const totals = screen.getByRole("region", { name: "Totals" });
  expect(totals).toHaveTextContent("Nothing is dueRefunded $2,594.44");
  expect(totals).not.toHaveTextContent("Total");
});
