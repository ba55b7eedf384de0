import { useQuery } from "@tanstack/react-query";
import { Wallet } from "lucide-react";
import { type WalletEntry, wallet } from "@/api/account";
import { change, dayText, usd } from "@/domain/figures";
import { orderPath } from "@/domain/orders";
import { cx } from "@/shared/cx";
import { Link } from "@/shared/ui/Link";
import { Card, CardHead, EmptyState, Loaded } from "@/shared/ui/Panels";
import tables from "./Table.module.css";
import { TableHead } from "./TableHead";

const KINDS: Record<WalletEntry["kind"], string> = {
  cancellation: "Cancelled order",
  overpayment: "Overpayment",
  use: "Paid from wallet",
  refund: "Refund",
  correction: "Correction",
  paid_out: "To your bank account",
  opening: "Opening balance",
};

/** /account/wallet: the company's balance and the entries that make it, newest first. */
export function WalletPart() {
  const query = useQuery(wallet);
  const { data } = query;
  return (
    <Card aria-labelledby="wallet">
      <CardHead title="Wallet" id="wallet">
        {data && (
          <p className="text-13 text-ink-2">
            Balance{" "}
            <strong className="text-ink tabular-nums ml-4 text-20">{usd(data.balance)}</strong>
          </p>
        )}
      </CardHead>
      <Loaded query={query}>{(data) => <Entries entries={data.entries} />}</Loaded>
    </Card>
  );
}

function Entries({ entries }: { entries: readonly WalletEntry[] }) {
  if (entries.length === 0) {
    return (
      <EmptyState icon={Wallet} text="No wallet balance yet.">
        <p>Overpayments and refunds are kept here for your next order.</p>
      </EmptyState>
    );
  }
  return (
    <table className={cx(tables.table, tables.wallet)}>
      <TableHead
        columns={["Date", "Description", "Order", "Amount", "Balance after"]}
        figures={["Amount", "Balance after"]}
      />
      <tbody>
        {entries.map(({ at, kind, amount, after, invoice_code }) => (
          <tr key={`${at} ${kind} ${invoice_code}`}>
            <td className={tables.quiet}>{dayText(at)}</td>
            <th scope="row">{KINDS[kind]}</th>
            <td className="tabular-nums">
              {invoice_code && <Link to={orderPath(invoice_code)}>{invoice_code}</Link>}
            </td>
            <td className={tables.number}>
              <strong>{change(amount)}</strong>
            </td>
            <td className={tables.number}>
              <span className={tables.unit}>Balance after </span>
              {usd(after)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
