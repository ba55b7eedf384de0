import { expect, it } from "vitest";
import { orderDetails, orderLine } from "@/test/builders";
import { awaitsPayment, orderedOf, totalRows } from "./rules";

function rows(fields: Parameters<typeof orderDetails>[0]) {
  return totalRows(orderDetails(fields).order).map(({ label, value }) => [label, value]);
}

it("shows the quoted deposit and no balance before the order is confirmed", () => {
  const fields = { status_id: 2, total: 2711, real_total: 2711, deposit: 1355.5 };
  expect(rows({ ...fields, deposit_received: 0, products_weight_kg: 30.5 })).toEqual([
    ["Subtotal", "$2,711.00"],
    ["Products weight", "30.5 kg"],
    ["Shipping fee", "$0.00"],
    ["Total", "$2,711.00"],
    ["Deposit, part of the total", "$1,355.50"],
  ]);
});

it("ends a cancelled order's rows in what is due: nothing", () => {
  const fields = { status_id: 0, total: 2711, real_total: 2711, deposit: 2711 };
  const { next_step } = orderDetails(fields).order;
  const money = [
    { text: "Received from you", amount: 500, note: "" },
    { text: "Refunded to your wallet", amount: 500, note: "" },
  ];
  for (const [known, told] of [
    [[], ""],
    [money, "Refunded $500.00"],
  ] as const) {
    const step = { ...next_step, rows: [...known] };
    expect(rows({ ...fields, deposit_received: 500, next_step: step })).toEqual([
      ["Subtotal", "$2,711.00"],
      ["Products weight", "30.5 kg"],
      ["Nothing is due", told],
    ]);
  }
});

it("takes off what was not confirmed, the deposit received and later money", () => {
  const order = {
    status_id: 3,
    total: 2711,
    real_total: 2532.4,
    shipping_fee: 186.4,
    deposit: 2711,
    deposit_received: 500,
    paid: 100.1,
    balance_due: 2118.7,
    weight_kg: 32.8,
    products_weight_kg: 30.5,
  };
  expect(rows(order)).toEqual([
    ["Subtotal", "$2,711.00"],
    ["Not confirmed", "– $178.60"],
    ["Products weight", "30.5 kg"],
    ["Measured weight", "32.8 kg"],
    ["Shipping fee", "$186.40"],
    ["Total", "$2,718.80"],
    ["Deposit", "– $500.00"],
    ["Paid", "– $100.10"],
    ["Balance due", "$2,118.70"],
  ]);
});

it("shows no sign before money that has not arrived", () => {
  const order = { status_id: 3, total: 100, deposit: 100, deposit_received: 0, balance_due: 100 };
  expect(rows(order)).toContainEqual(["Deposit", "$0.00"]);
});

it("sets one amount large: the balance once there is one, else the total", () => {
  const main = (status_id: number) =>
    totalRows(orderDetails({ status_id }).order)
      .filter((row) => row.main)
      .map(({ label }) => label);
  expect([0, 1, 2, 3, 4, 5].map(main)).toEqual([
    ["Nothing is due"],
    ["Total"],
    ["Total"],
    ["Balance due"],
    ["Balance due"],
    ["Balance due"],
  ]);
});

it.each([
  { status_id: 3, balance_due: 5, checkout: false, awaits: true },
  { status_id: 3, balance_due: 5, checkout: true, awaits: false },
  { status_id: 3, balance_due: 0, checkout: false, awaits: false },
  { status_id: 4, balance_due: 5, checkout: false, awaits: false },
])(
  "says so where a balance waits for a payment under way: $status_id $balance_due $checkout",
  ({ awaits, checkout, ...fields }) => {
    expect(awaitsPayment(orderDetails({ ...fields, allowed: { checkout } }).order)).toBe(awaits);
  },
);

it("counts a product that was split once, and nothing that is given for free", () => {
  const gift = orderLine({ sku: "GIFT", tag: "Free offer", count: 5 });
  const lines = [orderLine({ count: 6 }), orderLine({ is_true: 0, count: 4 }), gift];
  expect(orderedOf([...lines, orderLine({ sku: "B", count: 1 })])).toEqual({
    products: 2,
    pieces: 11,
  });
});
