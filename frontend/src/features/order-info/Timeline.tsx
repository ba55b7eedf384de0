import { cx } from "@/shared/cx";
import { dayText } from "@/shared/dates";
import type { Order } from "./queries";
import styles from "./Timeline.module.css";

/** The steps of an order: when each was reached, and what is promised of it, in the server's words. A kept promise is no news. */
export function Timeline({ steps }: { steps: Order["timeline"] }) {
  const current = steps.findLastIndex(({ at }) => at !== null);
  return (
    <section className={styles.place} aria-labelledby="timeline">
      <h3 id="timeline">Timeline</h3>
      <ol aria-label="Order status">
        {steps.map(({ message, at, note, tone }, index) => (
          <li
            key={message}
            className={cx(styles.step, at !== null && styles.done)}
            aria-current={index === current ? "step" : undefined}
          >
            <span className="font-medium">{message}</span>
            {at !== null && <time className="text-ink-3 text-13 tabular-nums">{dayText(at)}</time>}
            {at !== null && <span className="sr-only"> (reached)</span>}
            {note && tone !== "ok" && (
              <span className={styles.note} data-tone={tone}>
                {note}
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
