import { cx } from "@/shared/cx";
import { isoDate } from "@/shared/dates";
import type { Order } from "./queries";
import { STEPS } from "./rules";
import styles from "./StatusLine.module.css";

/** The five steps of an order with the status texts of the server; on a phone only the current one is written. */
export function StatusLine({ statusId, history }: { statusId: number; history: Order["history"] }) {
  return (
    <ol className={styles.line} aria-label="Order status">
      {STEPS.map((label, index) => {
        const step = index + 1;
        const at = history.findLast(({ message }) => message === label)?.at;
        return (
          <li
            key={label}
            className={cx(styles.step, step <= statusId && styles.done)}
            aria-current={step === statusId ? "step" : undefined}
            title={at && isoDate(at)}
          >
            <span className={styles.label}>{label}</span>
            {step <= statusId && <span className="visually-hidden"> (reached)</span>}
          </li>
        );
      })}
    </ol>
  );
}
