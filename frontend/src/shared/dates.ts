/** `YYYY-MM-DD` of a date or of an ISO 8601 time, in the offset that the server wrote it in. */
export function isoDate(value: string): string {
  return value.slice(0, 10);
}

const day = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short" });

/** `Fri 20 Nov`, where the reader is, of an ISO 8601 time. */
export function shortDay(value: string): string {
  return day.format(new Date(value)).replace(",", "");
}
