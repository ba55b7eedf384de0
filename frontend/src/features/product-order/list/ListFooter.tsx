import { money } from "@/domain/money";
import { counted } from "@/domain/units";
import { Button } from "@/shared/ui/Button";
import styles from "./ListReview.module.css";
import { type readyLines, totalOf } from "./list-review";

const TOGETHER =
  "first. The link works once: answer them or leave them out, then all go in together.";

/** What goes into the basket, what it costs and the way there. */
export function ListActions({
  ready,
  undecided,
  busy,
  together,
  onColumns,
  onAgain,
  onPut,
}: {
  ready: ReturnType<typeof readyLines>;
  undecided: number;
  busy: boolean;
  /** Whether no line goes into the basket before all are settled. */
  together: boolean;
  onColumns: (() => void) | undefined;
  onAgain: () => void;
  onPut: () => void;
}) {
  return (
    <>
      <p className={styles.total}>
        <strong className="num">{money(totalOf(ready))}</strong>
        {undecided > 0 && (
          <span>
            {counted(undecided, "line")} {undecided === 1 ? "waits" : "wait"} for you{" "}
            {together
              ? TOGETHER
              : undecided === 1
                ? "and stays out till then."
                : "and stay out till then."}
          </span>
        )}
      </p>
      {onColumns && <Button onClick={onColumns}>Columns</Button>}
      <Button onClick={onAgain}>Another list</Button>
      <Button
        variant="primary"
        busy={busy}
        disabled={ready.length === 0 || (together && undecided > 0)}
        onClick={onPut}
      >
        Put {counted(ready.length, "line")} into the basket
      </Button>
    </>
  );
}

/** What is to become of the products that are in the basket already. */
export function BasketQuestion({
  inBasket,
  busy,
  onAdd,
  onReplace,
  onBack,
}: {
  inBasket: number;
  busy: boolean;
  onAdd: () => void;
  onReplace: () => void;
  onBack: () => void;
}) {
  return (
    <>
      <p className={styles.total} role="status">
        There {inBasket === 1 ? "is" : "are"} {counted(inBasket, "product")} in the basket already.
      </p>
      <Button onClick={onBack}>Back</Button>
      <Button disabled={busy} onClick={onReplace}>
        Replace them
      </Button>
      <Button variant="primary" autoFocus busy={busy} onClick={onAdd}>
        Add to them
      </Button>
    </>
  );
}
