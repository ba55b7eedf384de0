import { CircleCheck, CircleHelp, TriangleAlert } from "lucide-react";
import { useMemo, useReducer, useRef, useState } from "react";
import type { components } from "@/api/schema.gen";
import { money } from "@/domain/money";
import { count, counted } from "@/domain/units";
import { Button } from "@/shared/ui/Button";
import { Segmented } from "@/shared/ui/Choice";
import { Dialog } from "@/shared/ui/Dialog";
import { Failure } from "@/shared/ui/Panels";
import { useBasketLines } from "@/shared/use-basket-lines";
import { usePutIntoBasket } from "@/shared/use-put-into-basket";
import { focusNext } from "./focus-next";
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
  totalOf,
} from "./list-review";
import { ProblemKinds } from "./ProblemKinds";

interface ListReviewProps {
  open: boolean;
  review: components["schemas"]["ListReview"];
  /** Name of the file. */
  name: string;
  /** Begins with another list. */
  onAgain: () => void;
  onClose: () => void;
  /** Is told what the lines became, once they are in the basket. */
  onPut: (lines: readonly ListLine[]) => void;
}

/** The lines of a list with their problems and fixes; what is in order goes into the basket. */
export function ListReview({ open, review, name, onAgain, onClose, onPut }: ListReviewProps) {
  const [lines, change] = useReducer(changed, review.lines, fromReview);
  const troubled = useMemo(() => review.lines.filter(({ problems }) => problems.length), [review]);
  const [view, setView] = useState<"problems" | "all">(troubled.length ? "problems" : "all");
  const [asking, setAsking] = useState(false);
  const [failure, setFailure] = useState<string>();
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

  const finish = (how: "replace" | "add") => {
    const refused = put(ready, how);
    setFailure(refused);
    if (refused) return setAsking(false);
    onPut(lines);
  };

  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Order from a list"
      subline={subline(name, review)}
      width={900}
      initialFocus={summary}
      footer={
        asking ? (
          <Question
            inBasket={inBasket}
            onAdd={() => finish("add")}
            onReplace={() => finish("replace")}
            onBack={() => setAsking(false)}
          />
        ) : (
          <Actions
            {...{ ready, undecided, onAgain }}
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
        {troubled.length > 0 && troubled.length < lines.length && (
          <Segmented
            legend="Lines to show"
            className={styles.views}
            value={view}
            onChange={setView}
            options={[
              { value: "problems", label: `To answer (${count(troubled.length)})` },
              { value: "all", label: `All (${count(lines.length)})` },
            ]}
          />
        )}
      </div>
      <Failure text={failure} />
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
            />
          </>
        }
        onFocusLost={() => summary.current}
      />
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

function subline(name: string, review: components["schemas"]["ListReview"]): string {
  const passedOver = review.without_quantity;
  return passedOver ? `${name} · ${counted(passedOver, "row")} without a quantity left out` : name;
}

/** What goes into the basket, what it costs and the way there. */
function Actions({
  ready,
  undecided,
  onAgain,
  onPut,
}: {
  ready: ReturnType<typeof readyLines>;
  undecided: number;
  onAgain: () => void;
  onPut: () => void;
}) {
  return (
    <>
      <p className={styles.total}>
        <strong className="num">{money(totalOf(ready))}</strong>
        {undecided > 0 && (
          <span>
            {counted(undecided, "line")} {undecided === 1 ? "waits" : "wait"} for you and{" "}
            {undecided === 1 ? "stays" : "stay"} out till then.
          </span>
        )}
      </p>
      <Button onClick={onAgain}>Another list</Button>
      <Button variant="primary" disabled={ready.length === 0} onClick={onPut}>
        Put {counted(ready.length, "line")} into the basket
      </Button>
    </>
  );
}

/** What is to become of the products that are in the basket already. */
function Question({
  inBasket,
  onAdd,
  onReplace,
  onBack,
}: {
  inBasket: number;
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
      <Button onClick={onReplace}>Replace them</Button>
      <Button variant="primary" autoFocus onClick={onAdd}>
        Add to them
      </Button>
    </>
  );
}
