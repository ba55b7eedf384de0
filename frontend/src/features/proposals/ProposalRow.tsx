import {
  ArrowRight,
  CalendarDays,
  Check,
  Clock,
  MessageCircleQuestionMark,
  MessageSquareText,
  PackageMinus,
  Tag as PriceTag,
  Repeat2,
  X,
} from "lucide-react";
import { type KeyboardEvent, useId } from "react";
import { change, usd } from "@/domain/money";
import { count } from "@/domain/units";
import { cx } from "@/shared/cx";
import { ProductImage } from "@/shared/ui/ProductImage";
import styles from "./Proposals.module.css";
import type { Choice, Proposal } from "./proposals";

const KINDS = {
  fewer: { label: "Fewer now", Icon: PackageMinus },
  later: { label: "Later", Icon: CalendarDays },
  substitute: { label: "Substitute", Icon: Repeat2 },
  price: { label: "Other price", Icon: PriceTag },
} as const;

const CHOICES = [
  { answer: "accept", label: "Accept", Icon: Check, letter: "a" },
  { answer: "decline", label: "Decline", Icon: X, letter: "d" },
  { answer: "ask", label: "Ask", Icon: MessageCircleQuestionMark, letter: "q" },
] as const;

interface RowProps {
  proposal: Proposal;
  choice: Choice | undefined;
  onChoose: (choice: Choice) => void;
}

/** One proposal: what was ordered, what is proposed, what it changes, and the buyer's choice. */
export function ProposalRow({ proposal, choice, onChoose }: RowProps) {
  const { label, Icon } = KINDS[proposal.kind];
  const isOpen = proposal.state === "open";
  const name = useId();
  return (
    <li
      className={cx(styles.row, isOpen && !choice && styles.waits)}
      data-problem={isOpen || undefined}
    >
      <ProductImage image={proposal.image} side={56} />
      <div>
        <p className={styles.kind}>
          <Icon size={14} strokeWidth={1.8} aria-hidden />
          {label}
        </p>
        <h2 className="text-15 bold break" id={name}>
          {proposal.eng_name}
        </h2>
        <p className="ink-2 text-13 num">{proposal.sku}</p>
      </div>
      {isOpen ? (
        <Answers name={name} choice={choice} onChoose={onChoose} />
      ) : (
        <p className={styles.closed}>
          {proposal.applied && <b>{proposal.applied === "accept" ? "Accepted" : "Declined"}</b>}{" "}
          {proposal.closed}
        </p>
      )}
      <Figures proposal={proposal} />
      <Words proposal={proposal} choice={choice} />
      {isOpen && choice?.answer === "ask" && (
        <Question name={name} choice={choice} onChoose={onChoose} />
      )}
    </li>
  );
}

function Answers({ name, choice, onChoose }: Omit<RowProps, "proposal"> & { name: string }) {
  const group = useId();
  const choose = (answer: Choice["answer"]) =>
    onChoose({ answer, question: choice?.question ?? "" });
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const meant = CHOICES.find(({ letter }) => letter === event.key);
    if (!meant) return;
    event.preventDefault();
    choose(meant.answer);
  };
  return (
    <fieldset className={styles.answers} aria-labelledby={name} onKeyDown={onKeyDown}>
      {CHOICES.map(({ answer, label, Icon }) => (
        <label key={answer} data-answer={answer} className="relative grow pointer">
          <input
            type="radio"
            name={group}
            checked={choice?.answer === answer}
            onChange={() => choose(answer)}
          />
          <span>
            <Icon size={16} strokeWidth={1.8} aria-hidden />
            {label}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

function Figures({
  proposal: { kind, sku, ordered, proposed, difference, reason },
}: {
  proposal: Proposal;
}) {
  const rest = ordered.count - proposed.count;
  return (
    <dl className={cx(styles.figures, "num")}>
      <div>
        <dt>You ordered</dt>
        <dd className="medium break">{priced(ordered)}</dd>
      </div>
      <ArrowRight className="ink-3" size={16} strokeWidth={1.8} aria-hidden />
      <div>
        <dt>Proposed</dt>
        <dd className="medium break">
          {proposed.sku === sku ? (
            <b>{proposed.count === 0 ? "0 now" : priced(proposed)}</b>
          ) : (
            <>
              <ProductImage image={proposed.image} side={46} />
              <b className="block">{proposed.eng_name}</b>
              <span className="block ink-2 text-13">
                {proposed.sku} · {priced(proposed)}
              </span>
            </>
          )}
          {kind === "later" && (
            <span className="block ink-2 text-13">
              {count(proposed.later)} about {proposed.expected_text}, as a back-order
            </span>
          )}
          {kind === "fewer" && (
            <span className="block ink-2 text-13">{count(rest)} pieces dropped</span>
          )}
          {reason && <span className="block ink-2 text-13">{reason}</span>}
        </dd>
      </div>
      <div className="right">
        <dt>Difference</dt>
        <dd className={cx("bold one-line break", difference > 0 && "bad")}>{change(difference)}</dd>
      </div>
    </dl>
  );
}

function Words({ proposal, choice }: { proposal: Proposal; choice: Choice | undefined }) {
  const { comment, proposed_by, state, question, unanswered, ordered } = proposal;
  const silence =
    choice?.answer === "decline"
      ? `Declined: the line is dropped, ${change(-ordered.order_price)}`
      : `If you do not answer: ${unanswered === "accept" ? "accepted" : "the line is dropped"}`;
  return (
    <div className={styles.words}>
      {comment && (
        <p className="row gap-8 break">
          <MessageSquareText size={15} strokeWidth={1.8} aria-hidden />
          <span>
            <b>{proposed_by}:</b> {comment}
          </span>
        </p>
      )}
      {question && (
        <p className="row gap-8 break">
          <MessageCircleQuestionMark size={15} strokeWidth={1.8} aria-hidden />
          <span>
            <b>Asked:</b> {question}
          </span>
        </p>
      )}
      {state === "open" && (
        <p className={cx("row gap-8 break", unanswered !== "accept" && "medium warn")}>
          <Clock size={15} strokeWidth={1.8} aria-hidden />
          <span>{silence}</span>
        </p>
      )}
    </div>
  );
}

function Question({
  name,
  choice,
  onChoose,
}: {
  name: string;
  choice: Choice;
  onChoose: (choice: Choice) => void;
}) {
  const field = useId();
  return (
    <div className={styles.question}>
      <label className="bold" htmlFor={field}>
        Your question
      </label>
      <textarea
        id={field}
        rows={2}
        maxLength={500}
        // biome-ignore lint/a11y/noAutofocus: Ask opens the field to be written in
        autoFocus={!choice.question}
        aria-describedby={`${field}-hint ${name}`}
        value={choice.question}
        onChange={(event) => onChoose({ answer: "ask", question: event.target.value })}
      />
      <p id={`${field}-hint`} className="ink-2 text-13">
        Sent with your answers. The line stays open until we reply.
      </p>
    </div>
  );
}

function priced(pieces: { count: number; price: number; order_price: number }): string {
  return `${count(pieces.count)} × ${usd(pieces.price)} = ${usd(pieces.order_price)}`;
}
