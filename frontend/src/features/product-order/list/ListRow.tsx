import { CircleAlert } from "lucide-react";
import { count, counted, money, usd } from "@/domain/figures";
import { cx } from "@/shared/cx";
import { Button } from "@/shared/ui/Button";
import { ProductImage } from "@/shared/ui/ProductImage";
import { Tag } from "@/shared/ui/Tag";
import TellMe from "../products/TellMe";
import { UsualPrice } from "../products/UsualPrice";
import { amountOf, mayBeWished } from "../rules";
import styles from "./ListRow.module.css";
import type { Change, LineProblem, ListLine, ReviewedLine } from "./list-review";
import { openProblems, rowsName } from "./list-review";
import { EnterPieces, WhichProduct } from "./RowQuestions";

/** Problems of words, and of a row without proposals, that a number of pieces ends. */
const ASKS_PIECES: readonly LineProblem["code"][] = ["bad_quantity", "below_moq"];
const ASKS_PRODUCT: readonly LineProblem["code"][] = ["which_product", "unknown_sku"];

/** Told the changes that answer a line, before the button that was pressed goes. */
type OnAnswer = (button: HTMLElement | null, changes: readonly Change[]) => void;

/** One line of a list: what it would order, its open problems, a button for each fix. */
export function ListRow({ line, onAnswer }: { line: ListLine; onAnswer: OnAnswer }) {
  const { asked, out, sku } = line;
  const { product, words, row } = asked;
  const name = product?.eng_name ?? (words || sku || `Row ${row}`);
  const problems = openProblems(line);
  const isOpen = problems.length > 0;
  const label = out ? "Put back" : "Skip";
  return (
    <div data-row className={cx(styles.row, out && styles.out, isOpen && styles.open)}>
      <ProductImage image={product?.image ?? ""} side={46} dimmed={out} />
      <div className="grid gap-2 [grid-area:about]">
        <span className={styles.name}>{product || !words ? name : <q>{words}</q>}</span>
        <Facts line={line} isFixed={!isOpen && line.isTroubled} />
      </div>
      <Figures line={line} />
      {isOpen && (
        <ul className={cx(styles.problems, "grid gap-8 [grid-area:problems] pt-6 pb-2")}>
          {problems.map((problem) => (
            <Problem key={problem.code} {...{ name, line, problem, onAnswer }} />
          ))}
        </ul>
      )}
      <Button
        size="small"
        variant="ghost"
        className={styles.skip}
        aria-label={`${label} ${name}`}
        onClick={({ currentTarget }) =>
          onAnswer(isOpen ? currentTarget : null, [{ does: out ? "put back" : "skip", row }])
        }
      >
        {label}
      </Button>
    </div>
  );
}

function Figures({ line: { asked, count: pieces } }: { line: ListLine }) {
  const { product } = asked;
  if (!product || pieces === 0) return null;
  return (
    <span className={`${styles.figures} tabular-nums`}>
      <span>
        <strong>{count(pieces)}</strong> × {usd(product.usd_supply)}
      </span>
      <strong>{money(amountOf({ product, count: pieces }))}</strong>
    </span>
  );
}

/** What the line is called, by us and in the list, where it stands there, and what has become of it. */
function Facts({ line, isFixed }: { line: ListLine; isFixed: boolean }) {
  const { asked, sku, out, wished } = line;
  const { product, packs, unit, own_code, words, rows } = asked;
  return (
    <span className="flex flex-wrap items-center text-ink-3 text-13 gap-y-2 gap-x-10 tabular-nums">
      {product && <span>{sku}</span>}
      {product && <UsualPrice product={product} />}
      {packs > 0 && product && asked.count > 0 && (
        <span>
          {count(packs)} × {unit} of {count(asked.count / packs)}
        </span>
      )}
      {own_code && <span>your code {own_code}</span>}
      {product && words && <q>{words}</q>}
      <span>{rowsName(rows)}</span>
      {!product && line.count > 0 && <span>{counted(line.count, "piece")}</span>}
      {out && <Tag tone="mute">{wished ? "On your waiting list" : "Skipped"}</Tag>}
      {!out && isFixed && <Tag tone="ok">Fixed</Tag>}
    </span>
  );
}

interface ProblemProps {
  name: string;
  line: ListLine;
  problem: LineProblem;
  onAnswer: OnAnswer;
}

/** An open problem of a line with its fixes. */
function Problem({ name, line, problem: { code, text, fixes }, onAnswer }: ProblemProps) {
  const { row, product, words } = line.asked;
  const choose = (button: HTMLElement, reviewed: ReviewedLine) =>
    onAnswer(button, [{ does: "choose", row, reviewed }]);
  const asksPieces = ASKS_PIECES.includes(code) && (words !== "" || fixes.length === 0);
  const wish = wishOf(line, code);
  return (
    <li data-asks={code}>
      <p>
        <CircleAlert size={14} />
        {text}
      </p>
      {fixes.map((fix) => (
        <Button
          key={fix.text}
          size="small"
          variant="soft"
          aria-label={`${fix.text}: ${name}`}
          onClick={({ currentTarget }) =>
            onAnswer(currentTarget, [{ does: "fix", row, code, fix }])
          }
        >
          {fix.text}
        </Button>
      ))}
      {wish && line.count > 0 && (
        <TellMe
          {...wish}
          count={line.count}
          onKept={(button) => onAnswer(button, [{ does: "wish", row }])}
        />
      )}
      {asksPieces && product?.selectable === 1 && (
        <EnterPieces {...{ name, line }} onEntered={choose} />
      )}
      {ASKS_PRODUCT.includes(code) && <WhichProduct line={line} onChoose={choose} />}
    </li>
  );
}

/** A code that nobody knows, or a product that is sold out: it can be kept among the wishes. */
function wishOf({ asked }: ListLine, code: LineProblem["code"]) {
  const { sku, own_code, product } = asked;
  if (code === "unavailable" && product && mayBeWished(product)) return { product };
  const unknown = ASKS_PRODUCT.includes(code) && (own_code || sku);
  return unknown
    ? { product: { sku: unknown, eng_name: unknown }, when: "you have it" }
    : undefined;
}
