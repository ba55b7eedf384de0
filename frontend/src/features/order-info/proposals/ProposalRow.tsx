import {
  ArrowRight,
  MessageCircleQuestionMark as AskIcon,
  CalendarDays,
  Check,
  Clock,
  MessageSquareText,
  PackageMinus,
  Tag as PriceTag,
  Repeat2,
  X,
} from "lucide-react";
import type { KeyboardEvent } from "react";
import { change, count, counted, usd } from "@/domain/figures";
import { cx } from "@/shared/cx";
import { Segmented } from "@/shared/ui/Choice";
import { TextAreaField } from "@/shared/ui/Field";
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
  { value: "accept", tone: "ok", label: [<Check key="icon" />, "Accept"], letter: "a" },
  { value: "decline", tone: "bad", label: [<X key="icon" />, "Decline"], letter: "d" },
  { value: "ask", tone: "info", label: [<AskIcon key="icon" />, "Ask"], letter: "q" },
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
  return (
    <li
      className={cx(
        styles.row,
        "grid grid-cols-[56px_minmax(0,1fr)_auto] gap-y-12 gap-x-14 py-18 px-card",
        "small:grid-cols-[56px_minmax(0,1fr)]",
        isOpen && !choice && styles.waits,
      )}
      data-problem={isOpen || undefined}
    >
      <ProductImage image={proposal.image} side={56} />
      <div>
        <p className="flex items-center gap-6 text-13 text-info">
          <Icon size={14} />
          {label}
        </p>
        <h2 className="text-15 font-bold wrap-anywhere">{proposal.eng_name}</h2>
        <p className="text-ink-2 text-13 tabular-nums">{proposal.sku}</p>
      </div>
      {isOpen ? (
        <Answers name={proposal.eng_name} choice={choice} onChoose={onChoose} />
      ) : (
        <p
          className="text-ink-2 text-13 text-right self-center max-w-280
            small:order-4 small:max-w-none small:text-left"
        >
          {proposal.applied && <b>{proposal.applied === "accept" ? "Accepted" : "Declined"}</b>}{" "}
          {proposal.closed}
        </p>
      )}
      <Figures proposal={proposal} />
      <Words proposal={proposal} choice={choice} />
      {isOpen && choice?.answer === "ask" && <Question choice={choice} onChoose={onChoose} />}
    </li>
  );
}

function Answers({ name, choice, onChoose }: Omit<RowProps, "proposal"> & { name: string }) {
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const pressed = CHOICES.find(({ letter }) => letter === event.key);
    if (!pressed) return;
    event.preventDefault();
    onChoose({ answer: pressed.value, question: choice?.question ?? "" });
  };
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys that the answers below have
    <div
      className={cx(styles.answers, "self-center small:order-4 small:max-w-none small:text-left")}
      onKeyDown={onKeyDown}
    >
      <Segmented
        wide
        legend={name}
        options={CHOICES}
        value={choice?.answer}
        onChange={(answer) => onChoose({ answer, question: choice?.question ?? "" })}
      />
    </div>
  );
}

function Figures({ proposal }: { proposal: Proposal }) {
  const { kind, sku, ordered, proposed, difference, reason } = proposal;
  const rest = ordered.count - proposed.count;
  return (
    <dl
      className="[&>svg]:self-center [&_dt]:text-ink-2 [&_dt]:text-12.5
        small:grid-cols-[minmax(0,1fr)_auto] small:items-end small:[&>:first-child]:col-span-full
        small:[&>svg]:hidden grid items-start rounded-2 bg-sunken
        grid-cols-[minmax(0,1fr)_16px_minmax(0,1fr)_104px] col-[2/-1] gap-y-4 gap-x-14 py-10 px-14
        tabular-nums"
    >
      <div>
        <dt>You ordered</dt>
        <dd className="font-medium wrap-anywhere">{priced(ordered)}</dd>
      </div>
      <ArrowRight className="text-ink-3" />
      <div>
        <dt>Proposed</dt>
        <dd className="font-medium wrap-anywhere">
          {proposed.sku === sku ? (
            <b>{proposed.count === 0 ? "0 now" : priced(proposed)}</b>
          ) : (
            <>
              <ProductImage image={proposed.image} side={46} />
              <b className="block">{proposed.eng_name}</b>
              <span className="block text-ink-2 text-13">
                {proposed.sku} · {priced(proposed)}
              </span>
            </>
          )}
          {kind === "later" && (
            <span className="block text-ink-2 text-13">
              {count(proposed.later)} about {proposed.expected_text}, as a back-order
            </span>
          )}
          {kind === "fewer" && (
            <span className="block text-ink-2 text-13">{counted(rest, "piece")} dropped</span>
          )}
          {reason && <span className="block text-ink-2 text-13">{reason}</span>}
        </dd>
      </div>
      <div className="text-right">
        <dt>Difference</dt>
        <dd
          className={cx("font-bold whitespace-nowrap wrap-anywhere", difference > 0 && "text-bad")}
        >
          {change(difference)}
        </dd>
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
    <div className="grid gap-6 col-[2/-1] [&_svg]:flex-none [&_svg]:mt-3">
      {comment && (
        <p className="flex gap-8 wrap-anywhere">
          <MessageSquareText size={15} />
          <span>
            <b>{proposed_by}:</b> {comment}
          </span>
        </p>
      )}
      {question && (
        <p className="flex gap-8 wrap-anywhere">
          <AskIcon size={15} />
          <span>
            <b>Asked:</b> {question}
          </span>
        </p>
      )}
      {state === "open" && (
        <p
          className={cx(
            "flex gap-8 wrap-anywhere",
            unanswered !== "accept" && "font-medium text-warn",
          )}
        >
          <Clock size={15} />
          <span>{silence}</span>
        </p>
      )}
    </div>
  );
}

function Question({ choice, onChoose }: { choice: Choice; onChoose: (choice: Choice) => void }) {
  return (
    <TextAreaField
      className={styles.question}
      label="Your question"
      hint="Sent with your answers. The line stays open until we reply."
      rows={2}
      maxLength={500}
      autoFocus={!choice.question}
      value={choice.question}
      onChange={(event) => onChoose({ answer: "ask", question: event.target.value })}
    />
  );
}

function priced(pieces: { count: number; price: number; order_price: number }): string {
  return `${count(pieces.count)} × ${usd(pieces.price)} = ${usd(pieces.order_price)}`;
}
