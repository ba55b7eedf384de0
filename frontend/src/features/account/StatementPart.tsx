import { useMutation, useQuery } from "@tanstack/react-query";
import { FileDown, ReceiptText } from "lucide-react";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { api, unwrap } from "@/api/client";
import { change, dayText, usd } from "@/domain/figures";
import { orderPath } from "@/domain/orders";
import { cx } from "@/shared/cx";
import { formatEntries, saveFile } from "@/shared/files";
import { ButtonLink } from "@/shared/ui/Button";
import { DayFields, SelectField } from "@/shared/ui/Field";
import { Link } from "@/shared/ui/Link";
import { MenuButton } from "@/shared/ui/MenuButton";
import { Card, CardHead, EmptyState, Loaded } from "@/shared/ui/Panels";
import styles from "./AccountScreen.module.css";
import { type AccountStatement, type Days, daysGiven, type FileFormat, statement } from "./queries";
import tables from "./Table.module.css";
import { TableHead } from "./TableHead";

const FORMATS: readonly FileFormat[] = ["pdf", "xlsx", "csv"];

/** /account/statement: opening, each charge, payment and credit, closing, over the days in the address. */
export function StatementPart() {
  const [query, setQuery] = useSearchParams();
  const days = { since: query.get("since") ?? "", until: query.get("until") ?? "" };
  const answer = useQuery(statement(days));
  const { data, isFetching } = answer;
  const period = { since: days.since || data?.since || "", until: days.until || data?.until || "" };
  const file = useMutation({
    meta: { onFailure: "alert" },
    mutationFn: async (format: FileFormat) => {
      const params = { query: { ...daysGiven(period), format } };
      const call = await api.GET("/account/statement", { params, parseAs: "blob" });
      const name = ["Statement_of_account", period.since, period.until].filter(Boolean).join("_");
      saveFile(unwrap(call) as unknown as Blob, `${name}.${format}`);
    },
  });
  return (
    <Card aria-labelledby="statement" aria-busy={isFetching}>
      <CardHead title="Statement" id="statement">
        <p className="text-13 text-ink-2 text-right">
          Closing balance{" "}
          <strong className="text-ink tabular-nums ml-4 text-20">
            {data ? signed(data.closing) : "…"}
          </strong>
        </p>
      </CardHead>
      <div className={styles.tools}>
        <Period
          key={`${period.since} ${period.until}`}
          days={period}
          onDays={(next) => setQuery({ ...next }, { replace: true })}
        />
        <MenuButton
          icon={<FileDown />}
          busy={file.isPending}
          entries={formatEntries(FORMATS, file.mutate)}
        >
          Download
        </MenuButton>
      </div>
      <Loaded query={answer} height={240}>
        {(data) => <Lines statement={data} />}
      </Loaded>
    </Card>
  );
}

/** The days of the statement; a first day after the last one is said, not asked for. */
function Period({ days, onDays }: { days: Days; onDays: (days: Days) => void }) {
  const [draft, setDraft] = useState(days);
  const ranges = quickRanges(new Date());
  const isShown = ({ since, until }: Days) => since === days.since && until === days.until;
  const type = (changes: Partial<Days>) => {
    const now = { ...draft, ...changes };
    setDraft(now);
    if (now.since && now.since <= now.until) onDays(now);
  };
  return (
    <>
      <SelectField
        label="Period"
        value={ranges.find(isShown)?.label ?? ""}
        onChange={({ target }) => {
          const range = ranges.find(({ label }) => label === target.value);
          if (range) onDays({ since: range.since, until: range.until });
        }}
      >
        <option value="" disabled>
          Custom dates
        </option>
        {ranges.map(({ label }) => (
          <option key={label}>{label}</option>
        ))}
      </SelectField>
      <DayFields since={draft.since} until={draft.until} onChange={type} />
    </>
  );
}

function Lines({ statement }: { statement: AccountStatement }) {
  const { lines, ...sums } = statement;
  if (lines.length === 0 && sums.opening === 0) {
    return (
      <EmptyState icon={ReceiptText} text="No charges or payments in this period.">
        <ButtonLink to="/order">Choose products</ButtonLink>
      </EmptyState>
    );
  }
  return (
    <table className={cx(tables.table, tables.statement)}>
      <TableHead
        columns={["Date", "Description", "Order", "Charge", "Payment or credit", "Balance"]}
        figures={["Charge", "Payment or credit", "Balance"]}
      />
      <tbody>
        <tr className={tables.sum}>
          <td className={tables.quiet}>{sums.since && dayText(sums.since)}</td>
          <th scope="row">Opening balance</th>
          <td />
          <td />
          <td />
          <td className={tables.number}>{signed(sums.opening)}</td>
        </tr>
        {lines.map((line, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has no name of its own; it never moves.
          <tr key={place}>
            <td className={tables.quiet}>{dayText(line.on)}</td>
            <th scope="row">
              {line.paper ? (
                <a href={line.paper.url} title={line.paper.name}>
                  {line.text}
                </a>
              ) : (
                line.text
              )}
            </th>
            <td className="tabular-nums">
              {line.invoice_code && (
                <Link to={orderPath(line.invoice_code)}>{line.invoice_code}</Link>
              )}
            </td>
            <Amount label="Charge" amount={line.charge} />
            <Amount label="Credit" amount={line.credit} />
            <td className={tables.number}>
              <span className={tables.unit}>Balance </span>
              <strong>{signed(line.balance)}</strong>
            </td>
          </tr>
        ))}
        <tr className={tables.sum}>
          <td className={tables.quiet}>{sums.until && dayText(sums.until)}</td>
          <th scope="row">Closing balance</th>
          <td />
          <Amount label="Charges" amount={sums.charges} />
          <Amount label="Credits" amount={sums.credits} />
          <td className={tables.number}>{signed(sums.closing)}</td>
        </tr>
      </tbody>
    </table>
  );
}

/** An amount, with its label where no head of a column says it; nothing for none. */
function Amount({ label, amount }: { label: string; amount: number }) {
  return (
    <td className={tables.number}>
      {amount !== 0 && (
        <>
          <span className={tables.unit}>{label} </span>
          {signed(amount)}
        </>
      )}
    </td>
  );
}

/** `– $12.00` for what is below zero. */
const signed = (amount: number) => (amount < 0 ? change(amount) : usd(amount));

/** `YYYY-MM-DD` of a day where the reader is: so the Swedes write it. */
const iso = (day: Date): string => day.toLocaleDateString("sv-SE");

/** The days that a statement is mostly asked for. */
export function quickRanges(today: Date): readonly (Days & { label: string })[] {
  const [year, month] = [today.getFullYear(), today.getMonth()];
  const until = iso(today);
  return [
    { label: "This month", since: iso(new Date(year, month, 1)), until },
    {
      label: "Last month",
      since: iso(new Date(year, month - 1, 1)),
      until: iso(new Date(year, month, 0)),
    },
    { label: "This quarter", since: iso(new Date(year, month - (month % 3), 1)), until },
    { label: String(year), since: iso(new Date(year, 0, 1)), until },
  ];
}
