import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { documents } from "@/api/account";
import { addressBook } from "@/api/addresses";
import { useUser } from "@/api/session";
import { counted, dayText, usd } from "@/domain/figures";
import { documentLabel, orderPath, poLabel } from "@/domain/orders";
import { cx } from "@/shared/cx";
import { Button, ButtonLink } from "@/shared/ui/Button";
import { FirstRun } from "@/shared/ui/FirstRun";
import { Link } from "@/shared/ui/Link";
import { Card, CardHead, EmptyState, Loaded, Skeleton } from "@/shared/ui/Panels";
import { Tag } from "@/shared/ui/Tag";
import { AddressLines, defaultOf } from "./AddressesPart";
import { type AccountSums, account, type OwedRow } from "./queries";
import tables from "./Table.module.css";
import { TableHead } from "./TableHead";

const LATEST = 4;

/** /account/overview: what is to pay and when, and the latest documents; before the first order, what begins it. */
export function Overview() {
  const list = useInfiniteQuery(account);
  const { data } = list;
  const sums = data?.pages[0];
  if (sums && sums.ordered.orders === 0 && sums.rows.length === 0 && sums.wallet === 0) {
    return <FirstRun />;
  }
  return (
    <>
      <Figures sums={sums} />
      <Card aria-labelledby="owed">
        <CardHead title="To pay" id="owed">
          <Link to="/account/statement">Statement</Link>
        </CardHead>
        <Loaded query={list} height={120}>
          {({ pages }) => <DueOrders rows={pages.flatMap((page) => page.rows)} />}
        </Loaded>
        {list.hasNextPage && (
          <div className="flex items-center place-items-center gap-10 px-card py-14 text-ink-2 text-13">
            <Button busy={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
              Show more
            </Button>
            <span>of {counted(sums?.orders ?? 0, "order")}</span>
          </div>
        )}
      </Card>
      <div
        className="grid items-start gap-cards grid-cols-[minmax(0,7fr)_minmax(0,5fr)]
          [&>:only-child]:col-span-full phone:grid-cols-1 paper:grid-cols-[minmax(0,7fr)_minmax(0,5fr)]"
      >
        <Latest />
        <DefaultAddress />
      </div>
    </>
  );
}

function Figures({ sums }: { sums: AccountSums | undefined }) {
  const ordered = sums?.ordered;
  const next = sums?.rows.find(({ due }) => due);
  return (
    <Card aria-label="At a glance">
      <dl
        className="grid grid-flow-col auto-cols-fr [&>div]:border-line [&>div]:py-14
          [&>div]:px-card [&>div+div]:border-l small:grid-cols-2 small:grid-flow-row
          small:[&>div:nth-child(odd)]:border-l-0 small:[&>div:nth-child(n+3)]:border-t
          paper:grid-flow-col paper:grid-cols-none paper:[&>div:nth-child(n+3)]:border-t-0
          paper:[&>div:nth-child(odd):not(:first-child)]:border-l"
      >
        <Figure
          label="Outstanding"
          amount={sums?.owed}
          note={next && `${next.late ? "overdue since" : "next due"} ${next.due}`}
        />
        {sums?.reviewed !== 0 && (
          <Figure label="Under review" amount={sums?.reviewed} note="included in Outstanding" />
        )}
        <Figure label="Wallet" amount={sums?.wallet} note="for your next orders" />
        <Figure
          label={`Ordered in ${ordered?.year ?? "this year"}`}
          amount={ordered?.amount}
          note={ordered && counted(ordered.orders, "order")}
        />
      </dl>
    </Card>
  );
}

function Figure(props: { label: string; amount: number | undefined; note: string | undefined }) {
  const { label, amount, note } = props;
  return (
    <div>
      <dt className="text-ink-2 text-13 font-medium">{label}</dt>
      <dd className="tabular-nums wrap-anywhere text-24 tablet:text-19">
        {amount === undefined ? <Skeleton width={90} /> : usd(amount)}
      </dd>
      <dd className="text-ink-3 text-13">{note}</dd>
    </div>
  );
}

function DueOrders({ rows }: { rows: readonly OwedRow[] }) {
  if (rows.length === 0) return <EmptyState icon={CircleCheck} text="Nothing is due." />;
  return (
    <table className={cx(tables.table, tables.owed)}>
      <TableHead columns={["Payment", "Status", "Due", "Amount"]} figures={["Amount"]} hasActions />
      <tbody>
        {rows.map(({ invoice_code, ...row }) => (
          <tr key={invoice_code}>
            <th scope="row">
              {row.kind}
              <span className={tables.second}>
                <Link to={orderPath(invoice_code)}>{invoice_code}</Link>
                {row.po_number && ` · ${poLabel(row.po_number)}`}
              </span>
            </th>
            <td>{row.payment && <Tag tone={row.payment_tone}>{row.payment}</Tag>}</td>
            <td data-late={row.late || undefined}>{row.due}</td>
            <td className={tables.number}>
              <strong>{usd(row.amount)}</strong>
            </td>
            <td className={tables.number}>
              {row.action && (
                <ButtonLink
                  size="small"
                  to={orderPath(invoice_code)}
                  aria-label={`${row.action}, ${invoice_code}`}
                >
                  {row.action}
                </ButtonLink>
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Latest() {
  const { data } = useInfiniteQuery(documents(""));
  const latest = data?.pages[0]?.documents.slice(0, LATEST) ?? [];
  if (latest.length === 0) return null;
  return (
    <Card aria-labelledby="latest">
      <CardHead title="Latest documents" id="latest">
        <Link to="/account/documents">All documents</Link>
      </CardHead>
      <ul className="divided">
        {latest.map((document) => (
          <li
            key={document.url}
            className="grid items-baseline wrap-anywhere grid-cols-[minmax(0,1fr)_auto] gap-y-2 gap-x-12
              py-10 px-card phone:[&_a]:py-8 paper:[&_a]:py-0"
          >
            <a href={document.url}>{documentLabel(document.name, document.invoice_code)}</a>
            <span className="text-ink-3 text-13 tabular-nums">
              {document.on && dayText(document.on)}
            </span>
            <span className="text-ink-3 text-13 tabular-nums">{document.invoice_code}</span>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** What the buyer's orders begin with; it need not be in the company's book. */
function DefaultAddress() {
  const { company } = useUser();
  const { data } = useQuery(addressBook);
  if (!data) return null;
  const address = defaultOf(data);
  return (
    <Card aria-labelledby="default-address">
      <CardHead title="Default address" id="default-address">
        <ButtonLink size="small" to="/account/addresses" aria-label="Change, default address">
          Change
        </ButtonLink>
      </CardHead>
      <div className="px-card py-14 wrap-anywhere">
        {address.ship_address1 ? <AddressLines {...{ address, company }} /> : "None yet."}
      </div>
    </Card>
  );
}
