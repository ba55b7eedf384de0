/** US dollars as integer cents inside the screens; floats only on the wire. */
export type Cents = number & { readonly unit: "cents" };

const dollars = new Intl.NumberFormat("en-US", { style: "currency", currency: "USD" });

/** Cents of an amount in US dollars as the wire carries it (at most two decimals). */
export const cents = (amount: number): Cents => Math.round(amount * 100) as Cents;

export function sum(amounts: readonly Cents[]): Cents {
  return amounts.reduce<number>((total, amount) => total + amount, 0) as Cents;
}

export const times = (price: Cents, count: number): Cents => (price * count) as Cents;

/** `$1,234.50`: the one way in which the screens write money. */
export const money = (amount: Cents): string => dollars.format(amount / 100);

/** `$1,234.50` for an amount in US dollars as the wire carries it. */
export const usd = (amount: number): string => money(cents(amount));

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
export const count = (value: number): string => whole.format(value);

/** `6 products`, `1 product`. */
export function counted(value: number, one: string, many = `${one}s`): string {
  return `${count(value)} ${value === 1 ? one : many}`;
}

/** `30.5 kg`, for kilograms that the server has already rounded up to a tenth. */
export const kilograms = (value: number): string => `${tenths.format(value)} kg`;

/** September has three letters, as the server writes it. */
function dateText(options: Intl.DateTimeFormatOptions, at: Date): string {
  return new Intl.DateTimeFormat("en-GB", options).format(at).replace("Sept", "Sep");
}

const DAY = { day: "numeric", month: "short" } as const;
const CLOCK = { hour: "2-digit", minute: "2-digit" } as const;

/** `20 Nov 2026` of a date or of an ISO 8601 time, in the offset that the server wrote it in. */
export function dayText(value: string): string {
  return dateText({ ...DAY, year: "numeric", timeZone: "UTC" }, new Date(value.slice(0, 10)));
}

/** `Fri 20 Nov`, where the reader is, of an ISO 8601 time. */
export function shortDay(value: string): string {
  return dateText({ ...DAY, weekday: "short" }, new Date(value)).replace(",", "");
}

/** `30 Nov`: the last day, where the reader is, of what ends at an ISO 8601 time; `30 Nov 2027` in another year. */
export function lastDayBefore(end: string): string {
  const last = new Date(Date.parse(end) - 1);
  const isThisYear = last.getFullYear() === new Date().getFullYear();
  return dateText(isThisYear ? DAY : { ...DAY, year: "numeric" }, last);
}

/** `15:12`, where the reader is, with the day where that is not today: `20 Nov 15:12`. */
export function shortMoment(at: Date, between = " "): string {
  const isToday = at.toDateString() === new Date().toDateString();
  return `${isToday ? "" : dateText(DAY, at) + between}${dateText(CLOCK, at)}`;
}

/** `10 Nov 2026, 15:20 CET`: by the reader's clock, which is named because the days beside it are the seller's. */
export function momentHere(value: string): string {
  return dateText({ ...DAY, year: "numeric", ...CLOCK, timeZoneName: "short" }, new Date(value));
}
