import { cx } from "@/shared/cx";
import { dayText } from "@/shared/dates";
import type { Order } from "./queries";
import styles from "./Timeline.module.css";

/** The steps of an order: when each was reached, and what is promised of it, in the server's words. A kept promise is no news. */
export function Timeline({ steps }: { steps: Order["timeline"] }) {
  const current = steps.findLastIndex(({ at }) => at !== null);
  return (
    <section className="px-card py-14 [&_h3]:mb-12 [&_h3]:text-13" aria-labelledby="timeline">
      <h3 id="timeline">Timeline</h3>
      <ol aria-label="Order status">
        {steps.map(({ message, at, note, tone }, index) => (
          <li
            key={message}
            className={cx(
              styles.step,
              "before:absolute before:top-5 before:left-0 before:z-1 before:w-10",
              "before:h-10 before:border-2 before:border-control before:rounded-pill",
              "before:bg-surface",
              "relative grid text-ink-3 grid-cols-[minmax(0,1fr)_auto] gap-y-1 gap-x-8",
              "pb-12 pl-22",
              at !== null && styles.done,
            )}
            aria-current={index === current ? "step" : undefined}
          >
            <span className="font-medium">{message}</span>
            {at !== null && <time className="text-ink-3 text-13 tabular-nums">{dayText(at)}</time>}
            {at !== null && <span className="sr-only"> (reached)</span>}
            {note && tone !== "ok" && (
              <span
                className="col-span-full text-ink-3 text-13
                  data-[tone=warn]:text-warn data-[tone=bad]:text-bad"
                data-tone={tone}
              >
                {note}
              </span>
            )}
          </li>
        ))}
      </ol>
    </section>
  );
}
