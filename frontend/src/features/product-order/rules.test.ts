import { expect, it } from "vitest";
import { cents } from "@/domain/figures";
import { isShort } from "@/domain/orders";
import { vectors } from "@/test/vectors";
import { checkBasket, checkQuantity, subtotal } from "./rules";

interface Quantity {
  source: string;
  count: number;
  moq: number;
  step: number;
  refusal: string | null;
}

it.each(vectors<Quantity>("catalog/check_quantity"))("quantity, $source", (row) => {
  expect(checkQuantity(row) ?? null).toBe(row.refusal);
});

interface Stock {
  source: string;
  available: number;
  count: number;
  stock_free: number;
  short: boolean;
}

it.each(vectors<Stock>("catalog/is_short"))("stock, $source", ({ stock_free, short, ...line }) => {
  expect(isShort({ ...line, stockFree: stock_free === 1 })).toBe(short);
});

interface Basket {
  source: string;
  stock_free: number;
  lines: { count: number; available: number; moq: number; step: number }[];
  refusal: string | null;
}

it.each(vectors<Basket>("orders/check_basket"))("basket, $source", (row) => {
  expect(checkBasket(row.lines, { stockFree: row.stock_free === 1 }) ?? null).toBe(row.refusal);
});

interface Subtotal {
  source: string;
  lines: { price: string; count: number }[];
  subtotal: string;
}

it.each(vectors<Subtotal>("orders/subtotal"))("subtotal, $source", (row) => {
  const lines = row.lines.map(({ price, count }) => ({
    product: { usd_supply: Number(price) },
    count,
  }));
  expect(subtotal(lines)).toBe(cents(Number(row.subtotal)));
});
