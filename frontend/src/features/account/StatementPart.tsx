import { useMutation, useQuery } from "@tanstack/react-query";
import { FileDown } from "lucide-react";
import { useSearchParams } from "react-router";
import { api, unwrap } from "@/api/client";
import { usd } from "@/domain/money";
import { orderPath } from "@/domain/order-path";
import { cx } from "@/shared/cx";
import { saveFile } from "@/shared/save-file";
import { Button } from "@/shared/ui/Button";
import { Card, CardHead } from "@/shared/ui/Card";
import { Link } from "@/shared/ui/Link";
import { RetryPanel } from "@/shared/ui/Panels";
import { Loading, Skeleton } from "@/shared/ui/Skeleton";
import { Chips } from "./Chips";
import { type AccountStatement, type Days, type FileFormat, named, statement } from "./queries";
import { quickRanges } from "./ranges";
import styles from "./StatementPart.module.css";
import tables from "./Table.module.css";

const FORMATS: readonly FileFormat[] = ["pdf", "xlsx", "csv"];

/** /account/statement: opening, each charge, receipt and credit, closing, over the days in the address. */
export function StatementPart() {
  const [query, setQuery] = useSearchParams();
  const days = { since: query.get("since") ?? "", until: query.get("until") ?? "" };
  const found = useQuery(statement(days));
  const show = (chosen: Days) => setQuery({ ...chosen }, { replace: true });
  const shown = { since: days.since || found.data?.since, until: days.until || found.data?.until };
  const file = useStatementFile({ since: shown.since ?? "", until: shown.until ?? "" });
  const change = (name: keyof Days, day: string) =>
    show({ since: shown.since ?? "", until: shown.until ?? "", [name]: day });
  return (
    <Card aria-labelledby="statement" aria-busy={found.isFetching}>
      <CardHead title="Statement of account" id="statement">
        <div className={styles.files}>
          {FORMATS.map((format) => (
            <Button
              key={format}
              size="small"
              icon={<FileDown size={16} strokeWidth={1.8} aria-hidden />}
              busy={file.isPending && file.variables === format}
              onClick={() => file.mutate(format)}
            >
              {format.toUpperCase()}
            </Button>
          ))}
        </div>
      </CardHead>
      <div className={styles.days}>
        <Day label="From" value={shown.since} onDay={(day) => change("since", day)} />
        <Day label="To" value={shown.until} onDay={(day) => change("until", day)} />
        <Chips
          label="Range"
          options={quickRanges(new Date()).map(({ label, ...range }) => [range, label] as const)}
          isChosen={({ since, until }) => since === shown.since && until === shown.until}
          onChoose={show}
        />
      </div>
      {found.data ? (
        <Lines statement={found.data} />
      ) : found.isError ? (
        <RetryPanel
          error={found.error}
          busy={found.isFetching}
          onRetry={() => void found.refetch()}
        />
      ) : (
        <Loading className={styles.loading}>
          <Skeleton height={240} />
        </Loading>
      )}
    </Card>
  );
}

function useStatementFile(days: Days) {
  return useMutation({
    meta: { onFailure: "alert" },
    mutationFn: async (format: FileFormat) => {
      const params = { query: { ...named(days), format } };
      const call = await api.GET("/account/statement", { params, parseAs: "blob" });
      saveFile(
        unwrap(call) as unknown as Blob,
        `${["Statement_of_account", days.since, days.until].filter(Boolean).join("_")}.${format}`,
      );
    },
  });
}

function Day(props: { label: string; value: string | undefined; onDay: (day: string) => void }) {
  return (
    <label className={styles.day}>
      {props.label}
      <input
        type="date"
        required
        value={props.value ?? ""}
        onChange={({ target }) => target.value && props.onDay(target.value)}
      />
    </label>
  );
}

function Lines({ statement: { lines, ...sums } }: { statement: AccountStatement }) {
  return (
    <table className={cx(tables.table, tables.statement)}>
      <thead>
        <tr>
          <th scope="col">Date</th>
          <th scope="col">What</th>
          <th scope="col">Order</th>
          <th scope="col" className={tables.number}>
            Charge
          </th>
          <th scope="col" className={tables.number}>
            Receipt or credit
          </th>
          <th scope="col" className={tables.number}>
            Balance
          </th>
        </tr>
      </thead>
      <tbody>
        <tr className={tables.sum}>
          <td className={tables.quiet}>{sums.since}</td>
          <th scope="row">Opening</th>
          <td />
          <td />
          <td />
          <td className={tables.number}>{signed(sums.opening)}</td>
        </tr>
        {lines.map((line, place) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: a line has no name of its own; it never moves.
          <tr key={place}>
            <td className={tables.quiet}>{line.on}</td>
            <th scope="row">
              <LineText line={line} />
            </th>
            <td className="num">
              {line.invoice_code && (
                <Link to={orderPath(line.invoice_code)}>{line.invoice_code}</Link>
              )}
            </td>
            <td className={tables.number}>{line.charge !== 0 && signed(line.charge)}</td>
            <td className={tables.number}>{line.credit !== 0 && signed(line.credit)}</td>
            <td className={tables.number}>
              <strong>{signed(line.balance)}</strong>
            </td>
          </tr>
        ))}
        <tr className={tables.sum}>
          <td className={tables.quiet}>{sums.until}</td>
          <th scope="row">Closing</th>
          <td />
          <td className={tables.number}>
            <span className={tables.unit}>Charges </span>
            {signed(sums.charges)}
          </td>
          <td className={tables.number}>
            <span className={tables.unit}>Receipts and credits </span>
            {signed(sums.credits)}
          </td>
          <td className={tables.number}>{signed(sums.closing)}</td>
        </tr>
      </tbody>
    </table>
  );
}

/** What a line is for, leading to its document or else its order, where it is of one. */
function LineText({ line }: { line: AccountStatement["lines"][number] }) {
  if (line.paper) {
    return (
      <a href={line.paper.url} title={line.paper.name}>
        {line.text}
      </a>
    );
  }
  return line.invoice_code ? <Link to={orderPath(line.invoice_code)}>{line.text}</Link> : line.text;
}

/** `– $12.00` for what is below zero. */
function signed(amount: number): string {
  return amount < 0 ? `– ${usd(-amount)}` : usd(amount);
}
