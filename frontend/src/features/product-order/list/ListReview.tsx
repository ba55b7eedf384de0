import { CircleCheck, CircleHelp, TriangleAlert } from "lucide-react";
import { useMemo, useReducer, useRef, useState } from "react";
import type { components } from "@/api/schema.gen";
import { count, counted } from "@/domain/units";
import { Segmented } from "@/shared/ui/Choice";
import { Dialog } from "@/shared/ui/Dialog";
import { Failure } from "@/shared/ui/Panels";
import { useBasketLines } from "@/shared/use-basket-lines";
import { putRefusal, usePutIntoBasket } from "@/shared/use-put-into-basket";
import { replayed } from "./decisions";
import { focusNext } from "./focus-next";
import { type Decided, useKeptDecisions } from "./kept-decisions";
import { BasketQuestion, ListActions } from "./ListFooter";
import { ListLines } from "./ListLines";
import { focusQuestion } from "./ListQuestion";
import styles from "./ListReview.module.css";
import {
  changed,
  fromReview,
  isQuestion,
  type ListLine,
  openProblems,
  QUESTION,
  readyLines,
} from "./list-review";
import { PassedButton, PassedRows } from "./PassedRows";
import { ProblemKinds } from "./ProblemKinds";

interface ListReviewProps {
  open: boolean;
  review: components["schemas"]["ListReview"];
  /** What was decided of it before. */
  decided: Decided;
  /** What is decided is kept under this name among the drafts; without one it is not kept. */
  draft: string;
  /** Name of the file. */
  name: string;
  /** Opens what its columns are read as; nothing for a message. */
  onColumns: (() => void) | undefined;
  /** Begins with another list. */
  onAgain: () => void;
  onClose: () => void;
  /** Whether no line goes into the basket before all are settled. */
  together: boolean;
  /** Uses the list up, before its lines go into the basket, and says why it cannot be. */
  onUse: () => Promise<string | undefined>;
  /** Is told what the lines became, once they are in the basket. */
  onPut: (lines: readonly ListLine[]) => void;
}

/** The lines of a list with their problems and fixes; what is in order goes into the basket. */
export function ListReview(props: ListReviewProps) {
  const { open, review, decided, draft, name, together, onColumns, onAgain, onClose } = props;
  const { onUse, onPut } = props;
  const [lines, change] = useReducer(changed, review, () =>
    replayed(fromReview(review.lines), decided.decisions, decided.chosen),
  );
  const endKeeping = useKeptDecisions({
    open,
    lines,
    form: draft,
    uuid: review.list ?? undefined,
  });
  const troubled = useMemo(() => review.lines.filter(({ problems }) => problems.length), [review]);
  const [view, setView] = useState<"problems" | "all">(troubled.length ? "problems" : "all");
  const [asking, setAsking] = useState(false);
  const [inPassed, setInPassed] = useState(false);
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  const inBasket = useBasketLines().length;
  const put = usePutIntoBasket();
  const summary = useRef<HTMLParagraphElement>(null);

  const ready = useMemo(() => readyLines(lines), [lines]);
  const undecided = useMemo(
    () => lines.filter((line) => openProblems(line).length).length,
    [lines],
  );
  const questions = useMemo(() => lines.filter(isQuestion).length, [lines]);
  const shown = useMemo(
    () => (view === "all" ? lines : lines.filter(({ asked }) => asked.problems.length > 0)),
    [lines, view],
  );

  const finish = async (how: "replace" | "add") => {
    setBusy(true);
    const refused = putRefusal(ready, how) ?? (await onUse());
    setBusy(false);
    setFailure(refused);
    if (refused) return setAsking(false);
    endKeeping();
    put(ready, how);
    onPut(lines);
  };

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Order from a list"
      subline={name}
      width={900}
      initialFocus={summary}
      footer={
        asking ? (
          <BasketQuestion
            {...{ inBasket, busy }}
            onAdd={() => finish("add")}
            onReplace={() => finish("replace")}
            onBack={() => setAsking(false)}
          />
        ) : (
          <ListActions
            {...{ ready, undecided, busy, together, onColumns, onAgain }}
            onPut={() => (inBasket ? setAsking(true) : finish("replace"))}
          />
        )
      }
    >
      <div className={styles.top}>
        <p ref={summary} tabIndex={-1} role="status" className={styles.summary}>
          <span data-tone="ok">
            <CircleCheck size={16} strokeWidth={1.8} aria-hidden />
            {counted(ready.length, "line")} fine
          </span>
          {questions > 0 && (
            <span data-tone="info">
              <CircleHelp size={16} strokeWidth={1.8} aria-hidden />
              {counted(questions, "question")}
            </span>
          )}
          {undecided > questions && (
            <span data-tone="bad">
              <TriangleAlert size={16} strokeWidth={1.8} aria-hidden />
              {counted(undecided - questions, "line")} with problems
            </span>
          )}
        </p>
        <PassedButton review={review} open={inPassed} onToggle={() => setInPassed(!inPassed)} />
        {!inPassed && troubled.length > 0 && troubled.length < lines.length && (
          <Segmented
            legend="Lines to show"
            className={styles.views}
            value={view}
            onChange={setView}
            options={[
              { value: "problems", label: `To answer (${count(undecided)})` },
              { value: "all", label: `All (${count(lines.length)})` },
            ]}
          />
        )}
      </div>
      <Failure text={failure} />
      {inPassed ? (
        <PassedRows review={review} />
      ) : (
        <ListLines
          key={view}
          lines={shown}
          onChange={change}
          head={
            <>
              {review.unread.length > 0 && <Unread parts={review.unread} />}
              <ProblemKinds
                lines={lines}
                onFix={(button, code) => {
                  if (code === QUESTION) return focusQuestion(button);
                  focusNext(button, summary.current);
                  change({ does: "fix all", code });
                }}
                onLeave={(button, code) => {
                  focusNext(button, summary.current);
                  change({ does: "fix none", code });
                }}
              />
            </>
          }
          onFocusLost={() => summary.current}
        />
      )}
    </Dialog>
  );
}

/** What nobody could read as a product: said, so that none of it is missed. */
function Unread({ parts }: { parts: readonly string[] }) {
  return (
    <p className={styles.unread}>
      <strong>Not read as a product, and not ordered:</strong>{" "}
      {parts.map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a message never move.
        <span key={place}>
          {place > 0 && " · "}
          <q>{part}</q>
        </span>
      ))}
    </p>
  );
}
