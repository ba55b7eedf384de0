import { CircleHelp, Search } from "lucide-react";
import { useState } from "react";
import type { components } from "@/api/schema.gen";
import { usd } from "@/domain/money";
import { count as figure } from "@/domain/units";
import { Button } from "@/shared/ui/Button";
import { Checkbox } from "@/shared/ui/Checkbox";
import { failureText } from "@/shared/ui/failure";
import { ProductImage } from "@/shared/ui/ProductImage";
import { ChooseProduct } from "./ChooseProduct";
import styles from "./ListQuestion.module.css";
import { type Change, type ListLine, QUESTION, type ReviewedLine } from "./list-review";
import { useLearnCode } from "./own-codes";
import { WishInstead } from "./WishInstead";

type Candidate = components["schemas"]["CandidateProduct"];

interface ListQuestionProps {
  line: ListLine;
  onChange: (change: Change) => void;
  /** Told before the buttons of the question go, so that the focus can move on. */
  onFixed: (button: HTMLElement) => void;
}

/** A line that somebody asked for in their own words: which product is it? None is chosen. */
export function ListQuestion({ line, onChange, onFixed }: ListQuestionProps) {
  const { row, words, called, count, candidates, problems, packs, unit } = line.asked;
  const [other, setOther] = useState(candidates.length === 0);
  const [remember, setRemember] = useState(true);
  const learn = useLearnCode();
  const chosen = (reviewed: ReviewedLine) => onChange({ does: "choose", row, reviewed });
  const choose = (sku: string, button: HTMLElement) => {
    if (learn.isPending) return;
    const keep = remember && called !== "";
    const asked = { code: called || sku, sku, row, count, remember: keep, packs, unit };
    learn.mutate(asked, {
      onSuccess: (reviewed) => {
        onFixed(button);
        chosen(reviewed);
      },
    });
  };
  return (
    <div className={styles.row}>
      <span className={styles.tile}>
        <CircleHelp size={20} strokeWidth={1.8} aria-hidden />
      </span>
      <div className={styles.about}>
        <q className={styles.name}>{words}</q>
        <span className={styles.question}>
          {problems.find(({ code }) => code === QUESTION)?.text}
        </span>
      </div>
      {count > 0 && <span className={`${styles.pieces} num`}>{figure(count)}</span>}
      <div className={styles.answers}>
        <ul aria-label={`Products for ${words}`}>
          {candidates.map((candidate) => (
            <CandidateCard
              key={candidate.product.sku}
              {...{ candidate, row }}
              busy={learn.isPending && learn.variables.sku === candidate.product.sku}
              onChoose={choose}
            />
          ))}
        </ul>
        <p className={styles.actions}>
          <Button
            size="small"
            aria-expanded={other}
            data-fix={`${row} ${QUESTION}`}
            icon={<Search size={15} strokeWidth={1.8} aria-hidden />}
            onClick={() => setOther(!other)}
          >
            Another product
          </Button>
          <Button
            size="small"
            variant="ghost"
            data-fix={`${row} ${QUESTION}`}
            aria-label={`Leave it out: ${words}`}
            onClick={(event) => {
              onFixed(event.currentTarget);
              onChange({ does: "leave out", row });
            }}
          >
            Leave it out
          </Button>
          <WishInstead code={QUESTION} {...{ line, onChange, onFixed }} />
          {called && (
            <Checkbox checked={remember} onChange={({ target }) => setRemember(target.checked)}>
              Remember {called}
            </Checkbox>
          )}
        </p>
        {other && (
          <ChooseProduct
            line={line}
            code={called || words}
            remember={remember && called !== ""}
            onChosen={chosen}
          />
        )}
        <p role="status" className={styles.failure}>
          {learn.isError && failureText(learn.error)}
        </p>
      </div>
    </div>
  );
}

function CandidateCard({
  candidate,
  row,
  busy,
  onChoose,
}: {
  candidate: Candidate;
  row: number;
  busy: boolean;
  onChoose: (sku: string, button: HTMLElement) => void;
}) {
  const { product, why, agreeing } = candidate;
  return (
    <li>
      <ProductImage image={product.image} side={40} />
      <span className={styles.card}>
        <span className={styles.title}>
          <Marked name={product.eng_name} words={agreeing} />
        </span>
        <span className={`${styles.why} num`}>
          {product.sku} · {usd(product.usd_supply)} · {why}
        </span>
      </span>
      <Button
        size="small"
        variant="soft"
        busy={busy}
        data-question
        data-fix={`${row} ${QUESTION}`}
        aria-label={`This one: ${product.eng_name}`}
        onClick={(event) => onChoose(product.sku, event.currentTarget)}
      >
        This one
      </Button>
    </li>
  );
}

/** A name with the words marked that agree with what was asked for. */
function Marked({ name, words }: { name: string; words: readonly string[] }) {
  return name.split(/(\s+)/).map((part, place) => {
    const agrees = words.some((word) => plain(part).startsWith(word));
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts of a name never move.
    return agrees ? <mark key={place}>{part}</mark> : part;
  });
}

/** A word in small letters without accents, as the server folds it. */
function plain(word: string): string {
  return word.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}

/** Moves to the first question of the review that is open. */
export function focusQuestion(within: HTMLElement): void {
  within.closest("[role=dialog]")?.querySelector<HTMLElement>("[data-question]")?.focus();
}
