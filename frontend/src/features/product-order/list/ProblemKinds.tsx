import { ArrowDown } from "lucide-react";
import { useMemo } from "react";
import { count, counted } from "@/domain/units";
import { Button } from "@/shared/ui/Button";
import styles from "./ListReview.module.css";
import { HIDDEN, type ListLine, type ProblemCode, problemKinds, QUESTION } from "./list-review";

interface ProblemKindsProps {
  lines: readonly ListLine[];
  onFix: (button: HTMLElement, code: ProblemCode) => void;
  /** Does without what is asked: without the hidden rows. */
  onLeave: (button: HTMLElement, code: ProblemCode) => void;
}

/** How many lines have which problem, with a button that fixes it in all of them. */
export function ProblemKinds({ lines, onFix, onLeave }: ProblemKindsProps) {
  const kinds = useMemo(() => problemKinds(lines), [lines]);
  if (kinds.length === 0) return null;
  return (
    <ul className={styles.kinds} aria-label="Kinds of problems">
      {kinds.map(({ code, label, lines, fixAll }) => (
        <li key={code}>
          <span>
            {code === HIDDEN ? (
              hiddenQuestion(lines)
            ) : (
              <>
                {label} <span className={`${styles.many} num`}>{count(lines)}</span>
              </>
            )}
          </span>
          {code === HIDDEN && (
            <Button
              size="small"
              data-fix={code}
              aria-label={`Leave them out: ${label}`}
              onClick={(event) => onLeave(event.currentTarget, code)}
            >
              Leave them out
            </Button>
          )}
          <Button
            size="small"
            variant="soft"
            data-fix={code}
            icon={code === QUESTION && <ArrowDown size={16} strokeWidth={1.8} aria-hidden />}
            aria-label={`${fixAll}: ${label}`}
            onClick={(event) => onFix(event.currentTarget, code)}
          >
            {fixAll}
          </Button>
        </li>
      ))}
    </ul>
  );
}

function hiddenQuestion(lines: number): string {
  return lines === 1
    ? "1 line is hidden in your sheet: order it too?"
    : `${counted(lines, "line")} are hidden in your sheet: order them too?`;
}
