import { screen, within } from "@testing-library/react";
import { expect, it } from "vitest";
import { renderScreen } from "@/test/render";
import { answer } from "@/test/server";
import { WalletPart } from "./WalletPart";

const AT = "2026-11-18T09:30:00+09:00";

it("shows the credit and what made it, with a link to each order", async () => {
  answer("get", "/wallet", {
    success: 1,
    balance: 1081.2,
    entries: [
      { at: AT, kind: "use", amount: -218.8, after: 1081.2, invoice_code: "MHW-3" },
      { at: AT, kind: "overpayment", amount: 100, after: 1300, invoice_code: "MHW-2" },
      { at: AT, kind: "cancellation", amount: 1190, after: 1200, invoice_code: "MHW-1" },
      { at: AT, kind: "correction", amount: 10, after: 10, invoice_code: "" },
    ],
  });
  renderScreen(<WalletPart />);
  expect((await screen.findAllByText("$1,081.20"))[0]).toBeVisible();
  const [, ...rows] = screen.getAllByRole("row");
  expect(rows.map((row) => row.textContent)).toEqual([
    "18 Nov 2026Paid from walletMHW-3– $218.80Balance after $1,081.20",
    "18 Nov 2026OverpaymentMHW-2+ $100.00Balance after $1,300.00",
    "18 Nov 2026Cancelled orderMHW-1+ $1,190.00Balance after $1,200.00",
    "18 Nov 2026Correction+ $10.00Balance after $10.00",
  ]);
  expect(within(rows[0] as HTMLElement).getByRole("link", { name: "MHW-3" })).toHaveAttribute(
    "href",
    "/invoice/0?invoice_code=MHW-3",
  );
  expect(screen.getAllByRole("link")).toHaveLength(3);
});

it("says that there is no credit", async () => {
  answer("get", "/wallet", { success: 1, balance: 0, entries: [] });
  renderScreen(<WalletPart />);
  expect(await screen.findByText("No wallet balance yet.")).toBeVisible();
  expect(screen.getByText("$0.00")).toBeVisible();
});
