import { count } from "@/domain/units";
import { Button } from "@/shared/ui/Button";
import styles from "./SheetColumns.module.css";
import {
  answered,
  columnName,
  doubled,
  missing,
  named,
  type SaidColumns,
  type SheetTab,
} from "./sheet-columns";

/** The question above the rows, with its answers; none once it is answered. */
export function SheetQuestion({
  tab,
  columns,
  onSay,
}: {
  tab: SheetTab;
  columns: SaidColumns;
  onSay: (said: SaidColumns) => void;
}) {
  const twice = doubled(columns);
  if (twice.length > 0) return <Doubled {...{ tab, columns, twice, onSay }} />;
  const question = missing(columns);
  if (!question && tab.asks === "") return null;
  if (!question && tab.asks === "carton") return <Carton {...{ columns, onSay }} />;
  const asked = tab.kinds.flatMap((kind, column) => (kind === "" ? [column] : []));
  return (
    <div className={styles.asked} role="status">
      <p>
        <strong>{question || "Which column is what?"}</strong>
        <span>
          {asked.length > 0
            ? `${count(asked.length)} could be it.`
            : "Say what the columns hold, or leave out the tab."}
        </span>
      </p>
      <div className={styles.answers}>
        {asked.map((column) => (
          <Button
            key={column}
            variant={columns.kinds[column] === "qty" ? "primary" : "outline"}
            aria-pressed={columns.kinds[column] === "qty"}
            onClick={() => onSay(answered(columns, column))}
          >
            {columnName(tab, column)}, pieces
          </Button>
        ))}
      </div>
    </div>
  );
}

/** Which of the columns that are said to hold the same quantity does. */
function Doubled({
  tab,
  columns,
  twice,
  onSay,
}: {
  tab: SheetTab;
  columns: SaidColumns;
  twice: readonly number[];
  onSay: (said: SaidColumns) => void;
}) {
  return (
    <div className={styles.asked} role="status">
      <p>
        <strong>{missing(columns)}</strong>
        <span>{count(twice.length)} are named the same.</span>
      </p>
      <div className={styles.answers}>
        {twice.map((column) => {
          const kind = columns.kinds[column] ?? "qty";
          return (
            <Button
              key={column}
              variant="outline"
              onClick={() => onSay(named(columns, column, kind))}
            >
              {columnName(tab, column)}, {kind === "cartons" ? "cartons" : "pieces"}
            </Button>
          );
        })}
      </div>
    </div>
  );
}

function Carton({ columns, onSay }: { columns: SaidColumns; onSay: (said: SaidColumns) => void }) {
  return (
    <div className={styles.asked}>
      <p>
        <strong>How many pieces are in a carton?</strong>
        <span>Leave it empty where cartons differ: then each line is asked.</span>
      </p>
      <input
        aria-label="Pieces in a carton"
        placeholder="Pieces"
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        className={styles.carton}
        value={columns.carton || ""}
        onChange={({ target }) =>
          onSay({ ...columns, carton: Number(target.value.replace(/\D/g, "")) })
        }
      />
    </div>
  );
}
