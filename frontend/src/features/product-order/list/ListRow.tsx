import { CircleAlert, Undo2, X } from "lucide-react";
import { cents, money, times, usd } from "@/domain/money";
import { count } from "@/domain/units";
import { cx } from "@/shared/cx";
import { Button } from "@/shared/ui/Button";
import { ProductImage } from "@/shared/ui/ProductImage";
import { Tag } from "@/shared/ui/Tag";
import { ChooseProduct } from "./ChooseProduct";
import { EnterPieces } from "./EnterPieces";
import { ListQuestion } from "./ListQuestion";
import styles from "./ListRow.module.css";
import {
  type Change,
  isQuestion,
  type LineProblem,
  type ListLine,
  openProblems,
} from "./list-review";
import { rowName, rowsName } from "./list-rows";
import { WishInstead } from "./WishInstead";

const UNKNOWN = "unknown_sku" satisfies LineProblem["code"];
/** Problems of a message's line that a number of pieces ends. */
const ASK_PIECES: readonly LineProblem["code"][] = ["bad_quantity", "below_moq"];

interface ListRowProps {
  line: ListLine;
  onChange: (change: Change) => void;
  /** Told before the buttons of a problem go, so that the focus can move on. */
  onFixed: (button: HTMLElement) => void;
}

/** One line of a list: what it would order, its open problems, a button for each fix. */
export function ListRow({ line, onChange, onFixed }: ListRowProps) {
  const { asked, sku, out } = line;
  const { product, row } = asked;
  const name = product?.eng_name ?? (sku || asked.words || rowName(row));
  const problems = openProblems(line);
  if (isQuestion(line)) return <ListQuestion {...{ line, onChange, onFixed }} />;
  return (
    <div className={cx(styles.row, out && styles.out, problems.length > 0 && styles.open)}>
      <ProductImage image={product?.image ?? ""} side={46} dimmed={out} className={styles.tile} />
      <div className={styles.about}>
        <span className={styles.name}>{name}</span>
        <Meta line={line} isFixed={problems.length === 0 && asked.problems.length > 0} />
      </div>
      {product && line.count > 0 && (
        <span className={`${styles.figures} num`}>
          <span className={styles.price}>
            <strong>{count(line.count)}</strong> × {usd(product.usd_supply)}
          </span>
          <strong className={styles.total}>
            {money(times(cents(product.usd_supply), line.count))}
          </strong>
        </span>
      )}
      <OutButton {...{ out, name }} onChange={(does) => onChange({ does, row })} />
      {problems.length > 0 && <Problems {...{ name, line, problems, onChange, onFixed }} />}
    </div>
  );
}

/** What the line is called, by us and in the list, where it stands there, and what has become of it. */
function Meta({ line, isFixed }: { line: ListLine; isFixed: boolean }) {
  const { asked, sku, out } = line;
  return (
    <span className={`${styles.meta} num`}>
      {asked.product && <span>{sku}</span>}
      {asked.packs > 0 && asked.product && asked.product.count > 0 && (
        <span>
          {count(asked.packs)} × {asked.unit} of {count(asked.product.count / asked.packs)}
        </span>
      )}
      {asked.own_code && <span>your code {asked.own_code}</span>}
      {asked.words ? <q>{asked.words}</q> : <span>{rowsName(asked.rows)}</span>}
      {out && <Tag tone="mute">{line.wished ? "Wished for" : "Left out"}</Tag>}
      {!out && isFixed && <Tag tone="ok">Fixed</Tag>}
    </span>
  );
}

/** The open problems of a line, each with a button for every fix; leaving the line out where there is none. */
function Problems({
  name,
  line,
  problems,
  onChange,
  onFixed,
}: ListRowProps & { name: string; problems: readonly LineProblem[] }) {
  const { row, sku } = line.asked;
  return (
    <ul className={styles.problems}>
      {problems.map(({ code, text, fixes }) => (
        <li key={code}>
          <p>
            <CircleAlert size={14} strokeWidth={1.8} aria-hidden />
            {text}
          </p>
          <span className={styles.fixes}>
            {fixes.map((fix) => (
              <Button
                key={fix.text}
                size="small"
                variant="soft"
                data-fix={`${row} ${code}`}
                aria-label={`${fix.text}: ${name}`}
                onClick={(event) => {
                  onFixed(event.currentTarget);
                  onChange({ does: "fix", row, code, fix });
                }}
              >
                {fix.text}
              </Button>
            ))}
            {fixes.length === 0 && (
              <Button
                size="small"
                data-fix={`${row} ${code}`}
                aria-label={`Leave it out: ${name}`}
                onClick={(event) => {
                  onFixed(event.currentTarget);
                  onChange({ does: "leave out", row });
                }}
              >
                Leave it out
              </Button>
            )}
            <WishInstead {...{ line, code, onChange, onFixed }} />
          </span>
          {asksPieces(line, code, fixes.length) && (
            <EnterPieces
              {...{ name, line }}
              onEntered={(reviewed) => onChange({ does: "choose", row, reviewed })}
            />
          )}
          {code === UNKNOWN && sku && (
            <ChooseProduct
              line={line}
              code={sku}
              onChosen={(reviewed) => onChange({ does: "choose", row, reviewed })}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

/** Whether the buyer may enter the pieces: of words, and of a row of a sheet for which none can be proposed. */
function asksPieces({ asked }: ListLine, code: LineProblem["code"], fixes: number): boolean {
  if (asked.words) return ASK_PIECES.includes(code);
  return code === "bad_quantity" && fixes === 0 && asked.product?.selectable === 1;
}

/** Leaves the line out, or puts it back. */
function OutButton({
  out,
  name,
  onChange,
}: {
  out: boolean;
  name: string;
  onChange: (does: "leave out" | "put back") => void;
}) {
  const label = out ? "Put back" : "Leave out";
  const Icon = out ? Undo2 : X;
  return (
    <Button
      variant="ghost"
      className={styles.leave}
      aria-label={`${label} ${name}`}
      title={label}
      icon={<Icon size={16} strokeWidth={1.8} aria-hidden />}
      onClick={() => onChange(out ? "put back" : "leave out")}
    />
  );
}
