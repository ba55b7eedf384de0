import { ArrowDown } from "lucide-react";
import { useMemo } from "react";
import { count } from "@/domain/units";
import { Button } from "@/shared/ui/Button";
import styles from "./ListReview.module.css";
import { type ListLine, type ProblemCode, problemKinds, QUESTION } from "./list-review";

interface ProblemKindsProps {
  lines: readonly ListLine[];
  onFix: (button: HTMLElement, code: ProblemCode) => void;
}

/** How many lines have which problem, with a button that fixes it in all of them. */
export function ProblemKinds({ lines, onFix }: ProblemKindsProps) {
  const kinds = useMemo(() => problemKinds(lines), [lines]);
  if (kinds.length === 0) return null;
  return (
    <ul className={styles.kinds} aria-label="Kinds of problems">
      {kinds.map(({ code, label, lines, fixAll }) => (
        <li key={code}>
          <span>
            {label} <span className={`${styles.many} num`}>{count(lines)}</span>
          </span>
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
