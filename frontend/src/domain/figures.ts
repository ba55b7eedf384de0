/** US dollars as integer cents inside the screens; floats only on the wire. */
export type Cents = number & { readonly unit: "cents" };

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** Cents of an amount in US dollars as the wire carries it (at most two decimals). */
export function cents(amount: number): Cents {
  return Math.round(amount * 100) as Cents;
}

/** Sum of amounts in cents. */
export function sum(amounts: readonly Cents[]): Cents {
  return amounts.reduce<number>((total, amount) => total + amount, 0) as Cents;
}

/** Price of `count` pieces, in cents. */
export function times(price: Cents, count: number): Cents {
  return (price * count) as Cents;
}

/** `$1,234.50`: the one way in which the screens write money. */
export function money(amount: Cents): string {
  return dollars.format(amount / 100);
}

/** `$1,234.50` for an amount in US dollars as the wire carries it. */
export function usd(amount: number): string {
  return money(cents(amount));
}

/** What an amount in US dollars changes by: `+ $19.20`, `– $75.20`, `$0.00`. */
export function change(amount: number): string {
  if (amount === 0) return usd(0);
  return `${amount > 0 ? "+" : "–"} ${usd(Math.abs(amount))}`;
}

const whole = new Intl.NumberFormat("en-US");
const tenths = new Intl.NumberFormat("en-US", {
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
});

/** `1,234`: counts of pieces and products. */
export function count(value: number): string {
  return whole.format(value);
}

/** `6 products`, `1 product`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** `30.5 kg`, for kilograms that the server has already rounded up to a tenth. */
export function kilograms(value: number): string {
  return `${tenths.format(value)} kg`;
}
