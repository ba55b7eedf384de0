import { Check, ChevronDown, CircleHelp, X } from "lucide-react";
import { useState } from "react";
import { count, counted } from "@/domain/units";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { Failure } from "@/shared/ui/Panels";
import styles from "./SheetColumns.module.css";
import { SheetQuestion } from "./SheetQuestion";
import {
  askedTab,
  type ColumnKind,
  columnName,
  doubled,
  KINDS,
  missing,
  named,
  rowsRead,
  type SaidColumns,
  type SheetTab,
  saidOf,
} from "./sheet-columns";

interface SheetColumnsProps {
  open: boolean;
  name: string;
  tabs: readonly SheetTab[];
  /** What was read of its rows so far. */
  lines: readonly { readonly rows: readonly number[] }[];
  busy: boolean;
  failure: string | undefined;
  onAgain: () => void;
  onClose: () => void;
  /** Told what the tabs hold whose columns were asked about or changed. */
  onSaid: (said: SaidColumns[]) => void;
}

/** What the columns of a sheet hold, with its first rows in sight: asked once, then remembered. */
export default function SheetColumns(props: SheetColumnsProps) {
  const { open, name, tabs, lines, busy, failure, onAgain, onClose, onSaid } = props;
  const [at, setAt] = useState((askedTab(tabs) ?? tabs[0])?.tab ?? 0);
  const [said, setSaid] = useState<Readonly<Record<number, SaidColumns>>>({});
  const tab = tabs[at];
  if (!tab) return null;
  const columns = said[at] ?? saidOf(tab);
  const say = (next: SaidColumns) => setSaid({ ...said, [at]: next });
  const changed = tabs.filter((one) => one.asks || said[one.tab]);
  const settled = (changed.length ? changed : [tab]).map((one) => said[one.tab] ?? saidOf(one));
  const rows = tab.rows.filter(({ row }) => row > tab.head);
  const many = rowsRead(lines, at);
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
            disabled={settled.some((one) => missing(one) !== "")}
            onClick={() => onSaid(settled)}
          >
            Check {many > 0 ? counted(many, "row") : "the rows"}
          </Button>
        </>
      }
    >
      <Failure text={failure} />
      <SheetQuestion {...{ tab, columns }} onSay={say} />
      <div className={styles.scroll}>
        <table className={styles.table}>
          <thead>
            <tr>
              <td />
              {columns.kinds.map((kind, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns never move.
                <th key={column} scope="col" data-asked={isAsked(columns, column) || undefined}>
                  <State kind={isAsked(columns, column) ? "" : kind} />
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
                  <td key={column} data-asked={isAsked(columns, column) || undefined}>
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

/** Whether it is asked what a column holds: nothing is said of it, or the same quantity of it and of another. */
function isAsked(columns: SaidColumns, column: number): boolean {
  return columns.kinds[column] === "" || doubled(columns).includes(column);
}

function sublineOf(name: string, tab: SheetTab, tabs: number): string {
  const which = tabs > 1 ? [`tab “${tab.name}” of ${count(tabs)}`] : [];
  return [name, ...which, counted(tab.count, "row")].join(" · ");
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
