/** `YYYY-MM-DD` of a date or of an ISO 8601 time, in the offset that the server wrote it in. */
export function isoDate(value: string): string {
  return value.slice(0, 10);
}

const day = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short" });

/** `Fri 20 Nov`, where the reader is, of an ISO 8601 time. */
export function shortDay(value: string): string {
  return day.format(new Date(value)).replace(",", "");
}

const clock = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const dayOnly = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });
const withYear = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });
const HALF_A_YEAR = 183 * 86_400_000;

/** `30 Nov`: the last day, where the reader is, of what ends at an ISO 8601 time; `30 Nov 2027` of one far off. */
export function lastDayBefore(end: string): string {
  const last = Date.parse(end) - 1;
  return (last - Date.now() > HALF_A_YEAR ? withYear : dayOnly).format(last);
}

/** `15:12`, where the reader is, with the day where that is not today: `20 Nov 15:12`. */
export function shortMoment(at: Date): string {
  const isToday = at.toDateString() === new Date().toDateString();
  return `${isToday ? "" : `${dayOnly.format(at)} `}${clock.format(at)}`;
}

/** `2026-11-10 15:20 CET`: by the reader's clock, which is named because the days beside it are the seller's. */
export function momentHere(value: string): string {
  const at = new Date(value);
  const shown = at.toLocaleString("sv-SE", { dateStyle: "short", timeStyle: "short" });
  const zone = new Intl.DateTimeFormat("en-GB", { timeZoneName: "short" })
    .formatToParts(at)
    .find(({ type }) => type === "timeZoneName");
  return `${shown} ${zone?.value}`;
}
