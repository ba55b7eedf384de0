import { RefreshCw } from "lucide-react";
import type { DraftForm } from "@/shared/drafts";

type Restorable = Pick<DraftForm<unknown>, "restoredAt" | "startAfresh">;

const moment = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short" });

/** Over a form that came back as it was left: since when, and a button that empties it. Else nothing. */
export function RestoredLine({ form }: { form: Restorable }) {
  if (form.restoredAt === undefined) return null;
  return (
    <p
      className="flex flex-wrap items-center rounded-2 text-ink-2 text-13 gap-y-4 gap-x-8 py-8
        px-14 bg-info-bg [&_time]:whitespace-nowrap [&_strong]:text-ink [&_strong]:font-medium
        [&>svg]:flex-none [&>svg]:text-info [&>span]:flex-1 [&>span]:min-w-180"
    >
      <RefreshCw />
      <span>
        <strong>Restored.</strong> As you left it on{" "}
        <time>{moment.format(new Date(form.restoredAt))}</time>, not sent yet.
      </span>
      <button
        type="button"
        className="min-h-24 border-0 bg-transparent text-info font-medium underline
          underline-offset-3 phone:min-h-44"
        onClick={form.startAfresh}
      >
        Discard draft
      </button>
    </p>
  );
}
