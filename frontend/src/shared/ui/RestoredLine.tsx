import { RefreshCw } from "lucide-react";
import type { KeptForm } from "@/shared/use-draft";
import styles from "./RestoredLine.module.css";

type Restorable = Pick<KeptForm<unknown>, "restoredAt" | "startAfresh">;

const moment = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short" });

/** Over a form that came back as it was left: since when, and a button that empties it. Else nothing. */
export function RestoredLine({ form }: { form: Restorable }) {
  if (form.restoredAt === undefined) return null;
  return (
    <p className={styles.line}>
      <RefreshCw size={16} strokeWidth={1.8} aria-hidden />
      <span>
        <strong>Restored.</strong> As you left it on{" "}
        <time>{moment.format(new Date(form.restoredAt))}</time>, not sent yet.
      </span>
      <button type="button" onClick={form.startAfresh}>
        Discard draft
      </button>
    </p>
  );
}
