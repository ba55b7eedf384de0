import { Check, ChevronDown, CircleHelp, X } from "lucide-react";
import { useState } from "react";
import { count, counted } from "@/domain/units";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { Failure } from "@/shared/ui/Panels";
import styles from "./SheetColumns.module.css";
import {
  answered,
  askedTab,
  type ColumnKind,
  columnName,
  KINDS,
  missing,
  named,
  type SaidColumns,
  type SheetTab,
  saidOf,
} from "./sheet-columns";

interface SheetColumnsProps {
  open: boolean;
  name: string;
  tabs: readonly SheetTab[];
  busy: boolean;
  failure: string | undefined;
  onAgain: () => void;
  onClose: () => void;
  /** Told what the tabs hold whose columns were asked about or changed. */
  onSaid: (said: SaidColumns[]) => void;
}

/** What the columns of a sheet hold, with its first rows in sight: asked once, then remembered. */
export default function SheetColumns(props: SheetColumnsProps) {
  const { open, name, tabs, busy, failure, onAgain, onClose, onSaid } = props;
  const [at, setAt] = useState((askedTab(tabs) ?? tabs[0])?.tab ?? 0);
  const [said, setSaid] = useState<Readonly<Record<number, SaidColumns>>>({});
  const tab = tabs[at];
  if (!tab) return null;
  const columns = said[at] ?? saidOf(tab);
  const say = (next: SaidColumns) => setSaid({ ...said, [at]: next });
  const settled = tabs.filter((one) => one.asks || said[one.tab]);
  const lacking = settled.map((one) => missing(said[one.tab] ?? saidOf(one))).find(Boolean) ?? "";
  const rows = tab.rows.filter(({ row }) => row > tab.head);
  const many = tab.count - tab.rows.filter(({ row }) => row <= tab.head).length;
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Your sheet"
      subline={sublineOf(name, tab, tabs.length)}
      width={900}
      footer={
        <>
          {tabs.length > 1 && (
            <div className={styles.tabs}>
              <span aria-hidden>Tab</span>
              <Select
                value={String(at)}
                label="Tab"
                onChange={(value) => setAt(Number(value))}
                options={tabs.map((one) => [String(one.tab), one.name])}
              />
            </div>
          )}
          <Button onClick={onAgain}>Another list</Button>
          <Button
            variant="primary"
            busy={busy}
            disabled={lacking !== ""}
            onClick={() =>
              onSaid((settled.length ? settled : [tab]).map((one) => said[one.tab] ?? saidOf(one)))
            }
          >
            Check {counted(many, "row")}
          </Button>
        </>
      }
    >
      <Failure text={failure} />
      <Asked {...{ tab, columns }} onSay={say} />
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <td />
              {columns.kinds.map((kind, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns never move.
                <th key={column} scope="col" data-asked={kind === "" || undefined}>
                  <State kind={kind} />
                  <Select
                    value={kind}
                    label={`What ${columnName(tab, column)} holds`}
                    onChange={(value) => say(named(columns, column, value as ColumnKind))}
                    options={[
                      ...(kind === "" ? [["", "Choose"] as const] : []),
                      ...KINDS.map(({ kind, label }) => [kind, label] as const),
                    ]}
                  />
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {tab.rows.map(({ row, cells }) => (
              <tr key={row} data-head={row <= tab.head || undefined}>
                <th scope="row" className="num">
                  {count(row)}
                </th>
                {cells.map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns never move.
                  <td key={column} data-asked={columns.kinds[column] === "" || undefined}>
                    {cell}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={styles.notes}>
        {tab.head > 0 && rows.length > 0 && (
          <span>
            {tab.head === 1 ? "Row 1 is" : `Rows 1 to ${count(tab.head)} are`} read as headings.
          </span>
        )}
        <span>Asked once: the next sheet like this needs no questions.</span>
      </p>
    </Dialog>
  );
}

function sublineOf(name: string, tab: SheetTab, tabs: number): string {
  const which = tabs > 1 ? [`tab “${tab.name}” of ${count(tabs)}`] : [];
  return [name, ...which, counted(tab.count, "row")].join(" · ");
}

/** The question above the rows, with its answers; none once it is answered. */
function Asked({
  tab,
  columns,
  onSay,
}: {
  tab: SheetTab;
  columns: SaidColumns;
  onSay: (said: SaidColumns) => void;
}) {
  if (tab.asks === "") return null;
  if (tab.asks === "carton") return <Carton {...{ columns, onSay }} />;
  const asked = tab.kinds.flatMap((kind, column) => (kind === "" ? [column] : []));
  const question = missing(columns) || "Which column is what?";
  return (
    <div className={styles.asked} role="status">
      <p>
        <strong>{question}</strong>
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

/** What is thought of a column, in a word above it. */
function State({ kind }: { kind: ColumnKind }) {
  const [Icon, word, tone] =
    kind === ""
      ? ([CircleHelp, "Quantity?", "warn"] as const)
      : kind === "other"
        ? ([X, "Not needed", "mute"] as const)
        : ([Check, "Sure", "ok"] as const);
  return (
    <span className={styles.state} data-tone={tone}>
      <Icon size={14} strokeWidth={1.8} aria-hidden />
      {word}
    </span>
  );
}

function Select({
  value,
  label,
  options,
  onChange,
}: {
  value: string;
  label: string;
  options: readonly (readonly [value: string, label: string])[];
  onChange: (value: string) => void;
}) {
  return (
    <span className={styles.select}>
      <select aria-label={label} value={value} onChange={({ target }) => onChange(target.value)}>
        {options.map(([value, label]) => (
          <option key={value} value={value}>
            {label}
          </option>
        ))}
      </select>
      <ChevronDown size={16} strokeWidth={1.8} aria-hidden />
    </span>
  );
}
