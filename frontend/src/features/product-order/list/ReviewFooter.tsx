import { useState } from "react";
import { counted, money } from "@/domain/figures";
import { Button } from "@/shared/ui/Button";
import styles from "./ListReview.module.css";
import { type readyLines, totalOf } from "./list-review";

interface ReviewFooterProps {
  ready: ReturnType<typeof readyLines>;
  /** Products that are in the basket already: it is asked what becomes of them. */
  inBasket: number;
  busy: boolean;
  onColumns: (() => void) | undefined;
  onAgain: () => void;
  onPut: (how: "replace" | "add") => Promise<void>;
}

/** What goes into the basket costs, and the way there. */
export function ReviewFooter(props: ReviewFooterProps) {
  const { ready, inBasket, busy, onColumns, onAgain, onPut } = props;
  const [isAsking, setAsking] = useState(false);
  if (isAsking) {
    const fill = (how: "replace" | "add") => void onPut(how).finally(() => setAsking(false));
    return (
      <>
        <p className={styles.total} role="status">
          There {inBasket === 1 ? "is" : "are"} {counted(inBasket, "product")} in the basket
          already.
        </p>
        <Button onClick={() => setAsking(false)}>Back</Button>
        <Button disabled={busy} onClick={() => fill("replace")}>
          Replace them
        </Button>
        <Button variant="primary" autoFocus busy={busy} onClick={() => fill("add")}>
          Add to them
        </Button>
      </>
    );
  }
  return (
    <>
      <strong className={`${styles.total} tabular-nums`}>{money(totalOf(ready))}</strong>
      {onColumns && <Button onClick={onColumns}>Columns</Button>}
      <Button onClick={onAgain}>Another list</Button>
      <Button
        variant="primary"
        busy={busy}
        disabled={ready.length === 0}
        onClick={() => (inBasket ? setAsking(true) : void onPut("replace"))}
      >
        Put {counted(ready.length, "line")} into the basket
      </Button>
    </>
  );
}
