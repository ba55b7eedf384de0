import type { UseInfiniteQueryResult } from "@tanstack/react-query";
import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { SearchX } from "lucide-react";
import { useRef } from "react";
import { api, unwrap } from "@/api/client";
import { count, counted, dayText, usd } from "@/domain/figures";
import { orderPath, poLabel } from "@/domain/orders";
import { cx } from "@/shared/cx";
import { useInView, useOnChange } from "@/shared/effects";
import { formatEntries } from "@/shared/files";
import { temporaryOrderKeys } from "@/shared/query-keys";
import * as texts from "@/shared/texts";
import { confirm } from "@/shared/ui/alerts";
import { Button } from "@/shared/ui/Button";
import { Link } from "@/shared/ui/Link";
import { MenuButton } from "@/shared/ui/MenuButton";
import { AsOf, Card, EmptyState, Loading, QueryFailed, Skeleton } from "@/shared/ui/Panels";
import { SearchField } from "@/shared/ui/SearchField";
import { useExport } from "./mutations";
import { OrderFilters } from "./OrderFilters";
import styles from "./OrderList.module.css";
import type { OrderListItem, OrderQuery, OrderSums, UnfinishedRequest } from "./queries";
import { paramsOf, unfinishedRequests } from "./queries";
import { ALL_TABS, CANCELLED, shortPayment, toneOf } from "./rules";

interface OrderListProps {
  statusId: number;
  list: UseInfiniteQueryResult;
  orders: readonly OrderListItem[];
  sums: OrderSums | undefined;
  selected: string;
  filters: OrderQuery;
  onFilter: (filters: OrderQuery) => void;
  className?: string | undefined;
}

const FORMATS = ["xlsx", "csv"] as const;

/** The orders of a tab, searched and filtered, and as a file; each is a link that selects it. */
export function OrderList(props: OrderListProps) {
  const { list, orders, sums, filters, onFilter, className, ...rows } = props;
  const file = useExport(rows.statusId, filters);
  // Of a status's orders as they come nobody makes a file: one control fewer.
  const isChosen = rows.statusId === ALL_TABS || Object.keys(paramsOf(filters)).length > 0;
  return (
    <Card className={cx(styles.card, className)} aria-label="Orders">
      <div className={styles.search}>
        <SearchField
          label="Search Invoice Number"
          value={filters.search}
          onChange={(event) => onFilter({ ...filters, search: event.target.value })}
        />
        <OrderFilters {...{ filters, onFilter }} payments={sums?.payments} />
      </div>
      {/* As high before they are known: the list below does not move. */}
      <div className={cx(styles.sums, "tabular-nums")}>
        <p>
          {sums && `${ordersIn(sums)} · ${usd(sums.amount)}`}
          <span className="block">
            <AsOf at={list.dataUpdatedAt} />
          </span>
        </p>
        {sums && isChosen && sums.orders > 0 && (
          <MenuButton
            variant="ghost"
            size="small"
            busy={file.isPending}
            entries={formatEntries(FORMATS, file.mutate)}
          >
            Export
          </MenuButton>
        )}
      </div>
      <div className={styles.rows} data-rows>
        {rows.statusId === ALL_TABS && <UnfinishedRequests />}
        {list.isPending ? (
          <Loading>
            <SkeletonRows rows={9} />
          </Loading>
        ) : list.isLoadingError ? (
          <QueryFailed query={list} />
        ) : (
          <Rows {...{ list, orders }} {...rows} />
        )}
      </div>
    </Card>
  );
}

function Rows(props: Pick<OrderListProps, "statusId" | "list" | "orders" | "selected">) {
  const { statusId, list, orders, selected } = props;
  const current = useRef<HTMLAnchorElement>(null);
  // What comes above it later moves it.
  const { isFetched } = useQuery({ ...unfinishedRequests, enabled: statusId === ALL_TABS });
  useOnChange(`${selected} ${isFetched}`, () => current.current && showInList(current.current));
  if (orders.length === 0 && !list.hasNextPage) {
    return <EmptyState icon={SearchX} text={texts.noResults} />;
  }
  return (
    <>
      <ul>
        {orders.map((order) => {
          const isCurrent = order.invoice_code === selected;
          return (
            <li key={order.order_id} className={styles.item}>
              <Link
                ref={isCurrent ? current : null}
                className={styles.row}
                to={orderPath(order.invoice_code, statusId)}
                aria-current={isCurrent ? "true" : undefined}
                data-code={order.invoice_code}
              >
                <span className="whitespace-nowrap font-medium tabular-nums">
                  {order.invoice_code}
                </span>
                <Amount order={order} />
                <span className="col-span-full text-ink-2 text-13 tabular-nums">
                  {dayText(order.build_date)} · {counted(order.pieces, "piece")}
                  {order.po_number && ` · ${poLabel(order.po_number)}`}
                </span>
                <span className={styles.status}>
                  <span className={styles.dot} data-tone={toneOf(order.status_id)} aria-hidden />
                  {order.message}
                </span>
                {(order.answers || order.payment) && (
                  <span
                    className={styles.payment}
                    data-tone={order.answers ? "warn" : order.payment_tone}
                  >
                    {order.answers || shortPayment(order.payment)}
                  </span>
                )}
              </Link>
            </li>
          );
        })}
      </ul>
      {list.hasNextPage && <NextPage list={list} />}
    </>
  );
}

/** Scrolls the list alone, where it scrolls by itself, until the row is whole in it: the page stays at its head. */
function showInList(row: HTMLElement): void {
  const list = row.closest("[data-rows]");
  if (!list) return;
  const above = row.getBoundingClientRect().top - list.getBoundingClientRect().top;
  const isWhole = above >= 0 && above + row.offsetHeight <= list.clientHeight;
  if (!isWhole) list.scrollTop += above - (list.clientHeight - row.offsetHeight) / 2;
}

const AHEAD_PX = 400;

/** Loads the next page when the end of the list comes into view. */
function NextPage({ list }: { list: UseInfiniteQueryResult }) {
  const end = useRef<HTMLDivElement>(null);
  const { fetchNextPage, isFetchingNextPage, isFetchNextPageError } = list;
  const isIdle = !isFetchingNextPage && !isFetchNextPageError;
  useInView(end, isIdle, () => void fetchNextPage(), AHEAD_PX);
  if (isFetchNextPageError && !isFetchingNextPage) {
    return (
      <div className="grid justify-items-center px-card py-14">
        <Button onClick={() => void fetchNextPage()}>{texts.tryAgain}</Button>
      </div>
    );
  }
  return (
    <div ref={end}>
      <Loading>
        <SkeletonRows rows={3} />
      </Loading>
    </div>
  );
}

function SkeletonRows({ rows }: { rows: number }) {
  return Array.from({ length: rows }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike.
    <div key={row} className={styles.skeleton}>
      <Skeleton width={140} height={13} />
      <Skeleton width={80} height={11} />
    </div>
  ));
}

/** What the order comes to; struck out where it was cancelled, because nothing of it is due. */
function Amount({ order }: { order: OrderListItem }) {
  const amount = usd(order.amount);
  return (
    <span className={cx(styles.amount, "tabular-nums")}>
      {order.status_id === CANCELLED ? <s>{amount}</s> : amount}
    </span>
  );
}

/** How many orders the sum is of, and how many cancelled ones stand among them: in one line beside it. */
function ordersIn({ orders, cancelled }: OrderSums): string {
  const summed = orders - cancelled;
  const parts = [
    summed > 0 && counted(summed, "order"),
    cancelled > 0 && `${count(cancelled)} cancelled`,
  ];
  return parts.filter(Boolean).join(" + ") || counted(0, "order");
}

/** The requests that were left before the checkout, in one line: several open with it. Nothing where there are none. */
function UnfinishedRequests() {
  const { data: requests = [] } = useQuery(unfinishedRequests);
  if (requests.length === 0) return null;
  const rows = (
    <ul>
      {requests.map((request) => (
        <Request key={request.invoice_code} {...request} />
      ))}
    </ul>
  );
  return (
    <section className={styles.requests} aria-label="Unfinished requests">
      {requests.length === 1 ? (
        rows
      ) : (
        <details>
          <summary>{requests.length} unfinished requests</summary>
          {rows}
        </details>
      )}
    </section>
  );
}

/** One request: the way back into its checkout, and the button that drops it. The basket stays as it is. */
function Request({ invoice_code, total, count, until }: UnfinishedRequest) {
  const client = useQueryClient();
  const discard = useMutation({
    meta: { onFailure: "alert", except: ["not_found", "order_exists"] },
    mutationFn: async () => {
      const params = { path: { invoice_code } };
      return unwrap(await api.DELETE("/temp-order/{invoice_code}", { params }));
    },
    onSettled: () => client.invalidateQueries({ queryKey: temporaryOrderKeys.unfinished }),
  });
  const ask = async () => {
    const question = `Discard this request of ${counted(count, "product")}, ${usd(total)}?`;
    if (await confirm(question, { destroys: true })) discard.mutate();
  };
  return (
    <li className="flex items-center justify-between gap-8">
      <Link to={`/order/checkout-deposit/${encodeURIComponent(invoice_code)}`} title={until}>
        Unfinished request <span className="tabular-nums">{usd(total)}</span>
      </Link>
      <Button
        size="small"
        variant="ghost"
        busy={discard.isPending}
        aria-label={`Discard ${invoice_code}`}
        onClick={() => void ask()}
      >
        Discard
      </Button>
    </li>
  );
}
