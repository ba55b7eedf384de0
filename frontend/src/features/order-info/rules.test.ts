import { expect, it } from "vitest";
import { orderDetails } from "@/test/builders";
import { vectors } from "@/test/vectors";
import { totalRows } from "./rules";

const NO_MONEY = {
  ...{ shipping_fee: 0, deposit: 0, deposit_received: 0, paid: 0, balance_due: 0 },
  ...{ waived: 0, credited: 0 },
};

interface TotalsRow {
  source: string;
  order: Parameters<typeof orderDetails>[0];
  refunded?: number;
  rows: [label: string, value: string][];
}

/** A row's value as the buyer reads it. */
function written(value: string): string {
  if (!/\d$/.test(value)) return value;
  const amount = Number(value.replace("Refunded ", ""));
  const sum = `$${Math.abs(amount).toLocaleString("en-US", { minimumFractionDigits: 2 })}`;
  return value.replace(/-?[\d.]+$/, amount < 0 ? `– ${sum}` : sum);
}

it.each(vectors<TotalsRow>("orders/order_totals"))("$source", ({ order, refunded, rows }) => {
  const plain = orderDetails({ products_weight_kg: 30.5, weight_kg: null, ...NO_MONEY, ...order });
  const told = refunded ? [{ text: "Refunded to your wallet", amount: refunded, note: "" }] : [];
  const next_step = { ...plain.order.next_step, rows: told };
  expect(
    totalRows({ ...plain.order, next_step }).map(({ label, value }) => [label, value]),
  ).toEqual(rows.map(([label, value]) => [label, written(value)]));
});

it("sets one amount large: the balance once there is one, else the total", () => {
  const main = (status_id: number) =>
    totalRows(orderDetails({ status_id }).order)
      .filter((row) => row.main)
      .map(({ label }) => label);
  expect([0, 1, 2, 3, 4, 5].map(main)).toEqual([
    ["Nothing is due"],
    ["Total without shipping"],
    ["Total without shipping"],
    ["Balance due"],
    ["Balance due"],
    ["Balance due"],
  ]);
});
