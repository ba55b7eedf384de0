import type { Days } from "./queries";

/** `YYYY-MM-DD` of a day where the reader is. */
function iso(day: Date): string {
  const two = (part: number) => String(part).padStart(2, "0");
  return `${day.getFullYear()}-${two(day.getMonth() + 1)}-${two(day.getDate())}`;
}

/** The days that a statement is mostly asked for. */
export function quickRanges(today: Date): readonly (Days & { label: string })[] {
  const [year, month] = [today.getFullYear(), today.getMonth()];
  const until = iso(today);
  return [
    { label: "This month", since: iso(new Date(year, month, 1)), until },
    {
      label: "Last month",
      since: iso(new Date(year, month - 1, 1)),
      until: iso(new Date(year, month, 0)),
    },
    { label: "This quarter", since: iso(new Date(year, month - (month % 3), 1)), until },
    { label: String(year), since: iso(new Date(year, 0, 1)), until },
  ];
}
