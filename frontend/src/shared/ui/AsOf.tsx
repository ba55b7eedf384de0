import { useIsOnline } from "@/shared/online";

const time = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });
const day = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short" });

/** `10:42`, with the day where that is not today. */
function momentOf(at: Date): string {
  const isToday = at.toDateString() === new Date().toDateString();
  return isToday ? time.format(at) : `${day.format(at)}, ${time.format(at)}`;
}

/** Without a connection: how old that is what is shown. `at` in milliseconds since 1970, 0 for nothing shown. */
export function AsOf({ at }: { at: number }) {
  if (useIsOnline() || at === 0) return null;
  return (
    <span className="text-ink-3 text-12 whitespace-nowrap inline-block mr-8 leading-[24px]">
      As of {momentOf(new Date(at))}
    </span>
  );
}
