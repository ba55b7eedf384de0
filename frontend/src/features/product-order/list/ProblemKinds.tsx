import { useMemo } from "react";
import { count } from "@/domain/figures";
import { cx } from "@/shared/cx";
import { Button } from "@/shared/ui/Button";
import styles from "./ListReview.module.css";
import { type Change, HIDDEN, type ListLine, problemKinds } from "./list-review";

/** How many lines have which problem, with a button that fixes it in all of them. */
export function ProblemKinds({
  lines,
  onAnswer,
}: {
  lines: readonly ListLine[];
  onAnswer: (button: HTMLElement, changes: readonly Change[]) => void;
}) {
  const kinds = useMemo(() => problemKinds(lines), [lines]);
  if (kinds.length === 0) return null;
  return (
    <ul
      className={cx(
        styles.kinds,
        "grid rounded-3 bg-surface-2",
        "grid-cols-[repeat(auto-fill,minmax(min(270px,100%),1fr))] gap-x-24",
        "mb-10 py-4 px-12",
      )}
      aria-label="Kinds of problems"
    >
      {kinds.map(({ code, label, many, fixAll, fix, skip }) => (
        <li key={code} data-asks={code} data-kind>
          <span>
            {label} <span className="tabular-nums">{count(many)}</span>
          </span>
          {code === HIDDEN && (
            <Button
              size="small"
              aria-label={`Skip them: ${label}`}
              onClick={({ currentTarget }) => onAnswer(currentTarget, skip)}
            >
              Skip them
            </Button>
          )}
          <Button
            size="small"
            variant={fix === skip ? "outline" : "soft"}
            aria-label={`${fixAll}: ${label}`}
            onClick={({ currentTarget }) => onAnswer(currentTarget, fix)}
          >
            {fixAll}
          </Button>
        </li>
      ))}
    </ul>
  );
}
