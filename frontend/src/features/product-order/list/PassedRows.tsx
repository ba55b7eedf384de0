import { counted } from "@/domain/units";
import { cx } from "@/shared/cx";
import styles from "./ListReview.module.css";
import type { Review } from "./list-in-hand";
import { Rows } from "./Rows";

/** The rows that were passed over: where they stand, what stands there, and why. */
export function PassedRows({ review: { passed, passed_why } }: { review: Review }) {
  const more = passed_why.flatMap(({ why, rows }) => {
    const rest = rows - passed.filter((row) => row.why === why).length;
    return rest > 0 ? [`${counted(rest, "more row")}: ${why}`] : [];
  });
  return (
    <>
      <Rows label="Skipped rows" items={passed} keyOf={({ row }) => row} height={40}>
        {({ row, text, why }) => (
          <p
            className={cx(
              styles.passed,
              "grid border-b border-line text-ink-3 text-13 wrap-anywhere",
              "grid-cols-[72px_minmax(0,1fr)_minmax(0,200px)] gap-y-4 gap-x-12 py-10",
              "phone:grid-cols-[72px_minmax(0,1fr)] phone:[&>:last-child]:col-2",
            )}
          >
            <span className="tabular-nums">Row {row}</span>
            <span>{text}</span>
            <span>{why}</span>
          </p>
        )}
      </Rows>
      {more.map((text) => (
        <p key={text} className="text-ink-3 text-13 py-10">
          {text}
        </p>
      ))}
    </>
  );
}
