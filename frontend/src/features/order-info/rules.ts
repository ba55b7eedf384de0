import { type Cents, cents, kilograms, money, usd } from "@/domain/figures";
import { orderPath } from "@/domain/orders";
import type { Tone } from "@/shared/ui/Tag";
import type { Order, OrderLine } from "./queries";

/** The tabs by `status_id` (specification section 2, Order Information screen). */
export const TABS = [
  "All Orders",
  "Received Orders",
  "Preparing Orders",
  "Confirmed Orders",
  "Completed Payment",
  "Shipment Completed",
] as const;

/** The tab of the orders of every status. */
export const ALL_TABS = 0;

/** Where the seller's proposals on an order are answered. */
export function proposalsPath({ status_id, invoice_code }: Order): string {
  return `${orderPath(invoice_code, status_id)}&proposals=1`;
}

/** `status_id` of an order that was cancelled. */
export const CANCELLED = 0;

/** The last tab: its orders take no message (section 4, Rules by status). */
export const SHIPPED_TAB = 5;

const TONES: readonly Tone[] = ["bad", "mute", "accent", "warn", "info", "ok"];

/** Colour beside a status text; the text carries the meaning. */
export const toneOf = (statusId: number): Tone => TONES[statusId] ?? "mute";

/** How an order stands, in the server's words. */
export function standing({ message, payment }: Order): string {
  return payment ? `${message} (${payment})` : message;
}

/** How a payment stands, as a row of the list has room for it. */
export function shortPayment(payment: string): string {
  return payment === "Waiting for your wire" ? "Waiting for wire" : payment;
}

export const isUnconfirmed = ({ status_id }: Order): boolean => status_id === 1 || status_id === 2;

/** A line of the list; one of a product confirmed in part says how many pieces were ordered in all. */
export interface ShownLine {
  readonly line: OrderLine;
  readonly ordered?: number | undefined;
}

/** The lines with what is not confirmed of a product right below what is (readings, Order life). */
export function asOrdered(lines: readonly OrderLine[]): ShownLine[] {
  const rests = new Map<OrderLine, OrderLine>();
  const moved = new Set<OrderLine>();
  const refused = lines.filter(({ tag }) => tag === "Not Confirmed");
  for (const line of lines.filter(({ tag }) => tag === "Confirmed")) {
    const rest = refused.find((other) => !moved.has(other) && isSamePrice(line, other));
    if (!rest) continue;
    rests.set(line, rest);
    moved.add(rest);
  }
  return lines.flatMap((line): ShownLine[] => {
    if (moved.has(line)) return [];
    const rest = rests.get(line);
    if (!rest) return [{ line }];
    const ordered = line.count + rest.count;
    return [
      { line, ordered },
      { line: rest, ordered },
    ];
  });
}

/** Whether a line is not confirmed as it was ordered, or waits for the buyer; the parts of a split one are alike. */
export function isProblem({ line, ordered }: ShownLine): boolean {
  return line.proposal !== null || line.tag === "Not Confirmed" || ordered !== undefined;
}

/** Lines with an open proposal first, then what is not confirmed, all else in its order. */
export function problemsFirst(lines: readonly ShownLine[]): ShownLine[] {
  const rank = (row: ShownLine) => (row.line.proposal ? 0 : isProblem(row) ? 1 : 2);
  return lines.toSorted((one, other) => rank(one) - rank(other));
}

/** Whether two lines are the parts of one: the same product at the same price for a piece. */
function isSamePrice(one: OrderLine, other: OrderLine): boolean {
  return (
    one.sku === other.sku &&
    cents(one.order_price) * other.count === cents(other.order_price) * one.count
  );
}

export interface TotalRow {
  readonly label: string;
  readonly value: string;
  /** The amount that the screen sets large. */
  readonly main?: boolean;
}

/** The rows under the products (readings, Money), the amounts the server's. A cancelled order has no total. */
export function totalRows(order: Order): TotalRow[] {
  const notConfirmed = (cents(order.real_total) - cents(order.total)) as Cents;
  const rows: (TotalRow | false)[] = [
    { label: "Subtotal", value: usd(order.total) },
    notConfirmed !== 0 && { label: "Not confirmed", value: signed(notConfirmed) },
    { label: "Products weight", value: kilograms(order.products_weight_kg) },
    order.weight_kg !== null && { label: "Measured weight", value: kilograms(order.weight_kg) },
    ...(order.status_id === CANCELLED ? [nothingDue(order)] : moneyRows(order)),
  ];
  return rows.filter((row) => row !== false);
}

const FEE_LATER = "Set at confirmation";
const DEPOSIT_OF_TOTAL = "Deposit, part of the total";

function moneyRows(order: Order): (TotalRow | false)[] {
  const confirmed = order.status_id >= 3;
  const isFeeSet = confirmed || order.shipping_fee > 0;
  const total = (cents(order.real_total) + cents(order.shipping_fee)) as Cents;
  return [
    { label: "Shipping fee", value: isFeeSet ? usd(order.shipping_fee) : FEE_LATER },
    {
      label: isFeeSet ? "Total" : "Total without shipping",
      value: money(total),
      main: !confirmed,
    },
    confirmed
      ? { label: "Deposit", value: less(order.deposit_received) }
      : {
          label: cents(order.deposit) > total ? "Deposit" : DEPOSIT_OF_TOTAL,
          value: usd(order.deposit),
        },
    order.paid > 0 && { label: "Paid", value: less(order.paid) },
    order.waived > 0 && { label: "Waived", value: less(order.waived) },
    order.credited > 0 && { label: "Credited to your wallet", value: usd(order.credited) },
    confirmed && { label: "Balance due", value: usd(order.balance_due), main: true },
  ];
}

function nothingDue({ next_step: { rows } }: Order): TotalRow {
  const refunded = rows.at(-1)?.amount ?? 0;
  const value = refunded > 0 ? `Refunded ${usd(refunded)}` : "";
  return { label: "Nothing is due", value, main: true };
}

const less = (amount: number): string => (amount === 0 ? usd(0) : signed(-cents(amount) as Cents));

/** An amount with its minus set apart: `– $100.00`. */
export function signed(amount: Cents): string {
  return amount < 0 ? `– ${money(-amount as Cents)}` : money(amount);
}
