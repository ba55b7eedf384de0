/** `YYYY-MM-DD` of a date or of an ISO 8601 time, in the offset that the server wrote it in. */
export function isoDate(value: string): string {
  return value.slice(0, 10);
}
