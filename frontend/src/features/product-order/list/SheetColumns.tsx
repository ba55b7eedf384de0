import { useState } from "react";
import { count, counted } from "@/domain/figures";
import { cx } from "@/shared/cx";
import { Button } from "@/shared/ui/Button";
import { RadioCards } from "@/shared/ui/Choice";
import { Dialog, type DialogState } from "@/shared/ui/Dialog";
import { Options, SelectField, TextField } from "@/shared/ui/Field";
import { Failure } from "@/shared/ui/Panels";
import { notPieces, piecesIn } from "@/shared/ui/pieces";
import { type OpenList, type SheetTab, sublineOf, type TabColumns } from "./list-in-hand";
import styles from "./SheetColumns.module.css";
import type { Opened } from "./use-open-list";

interface SheetColumnsProps extends DialogState {
  list: OpenList;
  tab: SheetTab;
  opened: Opened;
}

/** Which tab of a sheet is read and what its columns hold, with its first rows in sight: asked once, then remembered. */
export default function SheetColumns(props: SheetColumnsProps) {
  const { open, list, tab, opened, onClose } = props;
  const { busy, failure, readAgain } = opened;
  const { head, kinds, carton } = tab;
  const { columns: tabs } = list.review;
  const [mapping, setMapping] = useState<TabColumns>({
    tab: tab.tab,
    head,
    kinds,
    carton,
    decimal: "",
  });
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Your sheet"
      subline={sublineOf(list)}
      width={900}
      footer={
        <>
          <Button onClick={opened.again}>Another list</Button>
          <Button
            variant="primary"
            busy={busy}
            disabled={openQuestion(mapping, tab) !== ""}
            onClick={() => void readAgain(list, tab.tab, mapping)}
          >
            Check list
          </Button>
        </>
      }
    >
      <Failure text={failure} />
      {tabs.length > 1 && (
        <SelectField
          label="Tab"
          className="max-w-420 mb-12"
          disabled={busy}
          value={tab.tab}
          onChange={({ target }) => void readAgain(list, Number(target.value))}
        >
          {tabs.map((one) => (
            <option key={one.tab} value={one.tab}>
              {[one.name, counted(one.count, "row"), one.why].filter(Boolean).join(" · ")}
            </option>
          ))}
        </SelectField>
      )}
      <Question {...{ tab, mapping }} onSay={setMapping} />
      <div className="border border-line rounded-3 overflow-auto">
        <table className={cx(styles.table, "w-full text-13 border-collapse")}>
          <thead>
            <tr>
              <td />
              {mapping.kinds.map((kind, column) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: columns never move.
                <th key={column} scope="col">
                  <SelectField
                    label={columnName(tab, column)}
                    value={kind}
                    onChange={({ target }) =>
                      setMapping(withKind(mapping, column, target.value as ColumnKind))
                    }
                  >
                    {kind === "" && <option value="">Choose</option>}
                    <Options of={KINDS} />
                  </SelectField>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {tab.rows.map(({ row, cells }) => (
              <tr key={row} data-head={row <= tab.head || undefined}>
                <th scope="row" className="tabular-nums">
                  {count(row)}
                </th>
                {cells.map((cell, column) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: columns never move.
                  <td key={column}>{cell}</td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="mt-12 text-ink-3 text-13">
        You answer this once: the next sheet like it needs no questions.
      </p>
    </Dialog>
  );
}

/** The pieces of a carton while what is typed is no number. */
const UNREAD = -1;
const HOW_MANY = "How many pieces are in a carton?";

interface QuestionProps {
  tab: SheetTab;
  mapping: TabColumns;
  onSay: (mapping: TabColumns) => void;
}

/** The question above the rows, with its answers; none where nothing is asked. */
function Question({ tab, mapping, onSay }: QuestionProps) {
  const [carton, setCarton] = useState(mapping.carton ? String(mapping.carton) : "");
  const question = openQuestion(mapping, tab);
  const { asks, choices, looks_like, readings } = tab;
  if (!question && asks === "") return null;
  const other = asks === "carton" ? HOW_MANY : "Is this right?";
  return (
    <div className="flex flex-wrap items-center gap-10 rounded-3 mb-12 py-12 px-14 bg-warn-bg">
      <p role="status" className="flex-[1_1_240px] font-medium">
        {[looks_like, question || other].filter(Boolean).join(" ")}
      </p>
      {choices.map(({ columns, text }) => {
        const isChosen = quantitiesOf(mapping).join() === columns.join();
        return (
          <Button
            key={text}
            aria-pressed={isChosen}
            variant={isChosen ? "primary" : "outline"}
            onClick={() => onSay(ordering(mapping, columns, tab))}
          >
            {text}
          </Button>
        );
      })}
      {asks === "number" && (
        <RadioCards
          legend="Number format"
          className="flex-[1_1_100%]"
          value={mapping.decimal}
          onChange={(decimal) => onSay({ ...mapping, decimal })}
          options={readings.map(({ decimal, sample, total }) => ({
            value: decimal,
            label: sample,
            note: `${counted(total, "piece")} in all`,
          }))}
        />
      )}
      {asks === "carton" && (
        <TextField
          label="Pieces per carton"
          hint="Leave it empty if cartons differ: we then ask line by line."
          inputMode="numeric"
          autoComplete="off"
          maxLength={4}
          value={carton}
          error={carton && !piecesIn(carton) ? notPieces(carton) : undefined}
          onChange={({ target }) => {
            setCarton(target.value);
            onSay({ ...mapping, carton: target.value ? (piecesIn(target.value) ?? UNREAD) : 0 });
          }}
        />
      )}
    </div>
  );
}

type ColumnKind = SheetTab["kinds"][number];

const KINDS: readonly (readonly [kind: ColumnKind, label: string])[] = [
  ["sku", "SKU"],
  ["own", "Your item code"],
  ["ean", "EAN"],
  ["name", "Name"],
  ["qty", "Quantity, pieces"],
  ["cartons", "Quantity, cartons"],
  ["per_carton", "Pieces per carton"],
  ["unit", "Unit"],
  ["price", "Price"],
  ["note", "Remark"],
  ["other", "Not needed"],
];
const NAMING: readonly ColumnKind[] = ["sku", "own", "ean", "name"];
const QUANTITIES: readonly ColumnKind[] = ["qty", "cartons"];

/** The columns once one of them is said to be of a kind; there is one quantity of each. */
function withKind(mapping: TabColumns, column: number, kind: ColumnKind): TabColumns {
  const once = QUANTITIES.includes(kind);
  const kinds = mapping.kinds.map((other, place) => {
    if (place === column) return kind;
    return once && other === kind ? "other" : other;
  });
  return { ...mapping, kinds };
}

/** The columns once what is ordered is said: one of those that could be it, or several added up. */
function ordering(mapping: TabColumns, columns: readonly number[], tab: SheetTab) {
  const kinds = mapping.kinds.map((kind, place) => {
    if (columns.includes(place)) return "qty";
    return kind === "qty" || tab.kinds[place] === "" ? "other" : kind;
  });
  return { ...mapping, kinds };
}

/** The columns of pieces. */
function quantitiesOf({ kinds }: TabColumns): readonly number[] {
  return kinds.flatMap((kind, place) => (kind === "qty" ? [place] : []));
}

/** The question that keeps rows from being read so; empty where there is none. */
export function openQuestion({ kinds, carton, decimal }: TabColumns, { asks }: SheetTab): string {
  if (!kinds.some((kind) => NAMING.includes(kind))) return "Which column names the product?";
  if (!kinds.some((kind) => QUANTITIES.includes(kind))) return "Which column holds the quantity?";
  if (carton === UNREAD) return HOW_MANY;
  return asks === "number" && !decimal ? "Which number format is used?" : "";
}

/** What is called a column: its heading, else its letter as spreadsheets have it. */
export function columnName({ rows, head }: SheetTab, column: number): string {
  const heading = rows.find(({ row }) => row === head)?.cells[column];
  return heading || `Column ${letters(column)}`;
}

function letters(column: number): string {
  const last = String.fromCharCode(65 + (column % 26));
  return column < 26 ? last : letters(Math.floor(column / 26) - 1) + last;
}
