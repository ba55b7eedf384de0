/** September has three letters, as the server writes it. */
function written(options: Intl.DateTimeFormatOptions, at: Date): string {
  return new Intl.DateTimeFormat("en-GB", options).format(at).replace("Sept", "Sep");
}

const DAY = { day: "numeric", month: "short" } as const;
const CLOCK = { hour: "2-digit", minute: "2-digit" } as const;

/** `20 Nov 2026` of a date or of an ISO 8601 time, in the offset that the server wrote it in. */
export function dayText(value: string): string {
  return written({ ...DAY, year: "numeric", timeZone: "UTC" }, new Date(value.slice(0, 10)));
}

/** `Fri 20 Nov`, where the reader is, of an ISO 8601 time. */
export function shortDay(value: string): string {
  return written({ ...DAY, weekday: "short" }, new Date(value)).replace(",", "");
}

/** `30 Nov`: the last day, where the reader is, of what ends at an ISO 8601 time; `30 Nov 2027` in another year. */
export function lastDayBefore(end: string): string {
  const last = new Date(Date.parse(end) - 1);
  const isThisYear = last.getFullYear() === new Date().getFullYear();
  return written(isThisYear ? DAY : { ...DAY, year: "numeric" }, last);
}

/** `15:12`, where the reader is, with the day where that is not today: `20 Nov 15:12`. */
export function shortMoment(at: Date): string {
  const isToday = at.toDateString() === new Date().toDateString();
  return `${isToday ? "" : `${written(DAY, at)} `}${written(CLOCK, at)}`;
}

/** `10 Nov 2026, 15:20 CET`: by the reader's clock, which is named because the days beside it are the seller's. */
export function momentHere(value: string): string {
  return written({ ...DAY, year: "numeric", ...CLOCK, timeZoneName: "short" }, new Date(value));
}
