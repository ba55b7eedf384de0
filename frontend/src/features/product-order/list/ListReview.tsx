import { type UseMutationResult, useMutation } from "@tanstack/react-query";
import { CircleCheck, CircleHelp } from "lucide-react";
import { useMemo, useRef, useState } from "react";
import { ApiError, api, unwrap } from "@/api/client";
import { count, counted, money } from "@/domain/figures";
import { uuid4 } from "@/domain/uuid";
import { cx } from "@/shared/cx";
import { Button } from "@/shared/ui/Button";
import { Segmented } from "@/shared/ui/Choice";
import { Dialog, type DialogState } from "@/shared/ui/Dialog";
import { Failure } from "@/shared/ui/Panels";
import { useBasketLines } from "@/shared/use-basket-lines";
import { putRefusal, usePutIntoBasket } from "@/shared/use-put-into-basket";
import { subtotal } from "../rules";
import styles from "./ListReview.module.css";
import { ListRow } from "./ListRow";
import { listFailure, type OpenList, sublineOf } from "./list-in-hand";
import type { Change, ListLine } from "./list-review";
import { HIDDEN, isOpen, linesOf, problemKinds, readyLines } from "./list-review";
import { PassedRows, Rows } from "./Rows";
import type { Opened } from "./use-open-list";

type How = "replace" | "add";

interface ListReviewProps extends DialogState {
  list: OpenList;
  opened: Opened;
  /** Told what the lines became, once they are in the basket. */
  onPut: (lines: readonly ListLine[]) => void;
}

/** The lines of a list with their problems and fixes, and the rows that are none; what is in order goes into the basket. */
export function ListReview(props: ListReviewProps) {
  const { open, list, opened, onClose, onPut } = props;
  const { review, decided, name } = list;
  const lines = useMemo(() => linesOf(review.lines, decided), [review, decided]);
  const ready = useMemo(() => readyLines(lines), [lines]);
  const troubled = lines.filter(({ isTroubled }) => isTroubled);
  const [view, setView] = useState(troubled.length > 0 ? "problems" : "all");
  const putIntoBasket = usePutIntoBasket();
  // Names this dialog: it alone puts the lines into the basket, and may repeat that it does.
  const [key] = useState(uuid4);
  const put = useMutation({
    mutationFn: async (how: How) => {
      const refused = putRefusal(ready, how);
      if (refused) throw new ApiError(400, { message: refused });
      // The list is used up first: no other tab or device puts its lines in again.
      if (review.list) unwrap(await api.POST("/basket/list", { body: { uuid: review.list, key } }));
      putIntoBasket(ready, how);
    },
    onSuccess: () => onPut(lines),
  });
  const summary = useRef<HTMLParagraphElement>(null);
  const scroller = useRef<HTMLDivElement>(null);

  const undecided = lines.filter(isOpen).length;
  const passed = review.passed_why.reduce((sum, { rows }) => sum + rows, 0);
  const views = [
    { value: "problems", label: `To answer (${count(undecided)})`, many: troubled.length },
    { value: "all", label: `All (${count(lines.length)})`, many: lines.length },
    { value: "passed", label: `Not read (${count(passed)})`, many: passed },
  ].filter(({ many }) => many > 0);

  const answer = (button: HTMLElement | null, changes: readonly Change[]) => {
    if (button && scroller.current)
      (nextQuestion(scroller.current, button) ?? summary.current)?.focus();
    opened.change(changes);
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Order from a list"
      subline={sublineOf(list)}
      width={900}
      initialFocus={summary}
      footer={<ReviewFooter {...{ ready, list, opened, put }} />}
    >
      <div ref={scroller}>
        <div
          className={cx(
            styles.top,
            "flex flex-wrap items-center justify-between whitespace-nowrap gap-y-10 gap-x-16 mb-10",
          )}
        >
          <p
            ref={summary}
            tabIndex={-1}
            role="status"
            className="flex flex-wrap font-medium gap-y-4 gap-x-18
              focus:outline-none [&_span]:text-[var(--tone,_inherit)] [&_span]:inline-flex
              [&_span]:items-center [&_span]:gap-6"
          >
            <span data-tone="ok">
              <CircleCheck />
              {counted(ready.length, "line")} ready
            </span>
            {undecided > 0 && (
              <span data-tone="info">
                <CircleHelp />
                {counted(undecided, "line")} {undecided === 1 ? "needs" : "need"} an answer first.
              </span>
            )}
          </p>
          {views.length > 1 && (
            <Segmented legend="Rows to show" value={view} onChange={setView} options={views} />
          )}
        </div>
        <Failure text={put.error ? listFailure(put.error) : undefined} />
        {view === "passed" ? (
          <PassedRows review={review} />
        ) : (
          <>
            {view === "problems" && <ProblemKinds lines={lines} onAnswer={answer} />}
            <Rows
              key={view}
              label={`Lines of ${name}`}
              items={view === "all" ? lines : troubled}
              keyOf={({ asked }) => asked.row}
              height={96}
            >
              {(line) => <ListRow line={line} onAnswer={answer} />}
            </Rows>
          </>
        )}
      </div>
    </Dialog>
  );
}

/** What has the focus once `button` has answered its question and is gone: a control of the next one. */
function nextQuestion(within: HTMLElement, button: HTMLElement): HTMLElement | null {
  const kind = button.closest<HTMLElement>("[data-kind]")?.dataset.asks;
  const next = [...within.querySelectorAll<HTMLElement>("[data-asks]")].find(
    (one) =>
      one.dataset.asks !== kind &&
      one.compareDocumentPosition(button) & Node.DOCUMENT_POSITION_PRECEDING,
  );
  const control = next?.querySelector<HTMLElement>("button, input");
  return (
    control ?? next?.closest("[data-row]")?.querySelector<HTMLElement>(":scope > button") ?? null
  );
}

interface ProblemKindsProps {
  lines: readonly ListLine[];
  onAnswer: (button: HTMLElement, changes: readonly Change[]) => void;
}

/** How many lines have which problem, with a button that fixes it in all of them. */
export function ProblemKinds({ lines, onAnswer }: ProblemKindsProps) {
  const kinds = useMemo(() => problemKinds(lines), [lines]);
  if (kinds.length === 0) return null;
  return (
    <ul
      className={cx(
        styles.kinds,
        "grid rounded-3 bg-surface-2 grid-cols-[repeat(auto-fill,minmax(min(270px,100%),1fr))]",
        "gap-x-24 mb-10 py-4 px-12",
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

interface ReviewFooterProps {
  ready: ReturnType<typeof readyLines>;
  list: OpenList;
  opened: Opened;
  put: UseMutationResult<void, Error, How>;
}

/** What goes into the basket costs, and the way there; it is asked what becomes of the products that are there. */
function ReviewFooter({ ready, list, opened, put }: ReviewFooterProps) {
  const inBasket = useBasketLines().length;
  const [isAsking, setAsking] = useState(false);
  if (isAsking) {
    const fill = (how: How) => put.mutate(how, { onSettled: () => setAsking(false) });
    return (
      <>
        <p className={styles.total} role="status">
          There {inBasket === 1 ? "is" : "are"} {counted(inBasket, "product")} in the basket
          already.
        </p>
        <Button onClick={() => setAsking(false)}>Back</Button>
        <Button disabled={put.isPending} onClick={() => fill("replace")}>
          Replace them
        </Button>
        <Button variant="primary" autoFocus busy={put.isPending} onClick={() => fill("add")}>
          Add to them
        </Button>
      </>
    );
  }
  return (
    <>
      <strong className={`${styles.total} tabular-nums`}>{money(subtotal(ready))}</strong>
      {list.review.columns.some((tab) => tab.is_read) && (
        <Button onClick={opened.nameColumns}>Columns</Button>
      )}
      <Button onClick={opened.again}>Another list</Button>
      <Button
        variant="primary"
        busy={put.isPending}
        disabled={ready.length === 0}
        onClick={() => (inBasket ? setAsking(true) : put.mutate("replace"))}
      >
        Put {counted(ready.length, "line")} into the basket
      </Button>
    </>
  );
}
