import { useInfiniteQuery, useQuery } from "@tanstack/react-query";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { lazy, useEffect, useRef } from "react";
import { useParams, useSearchParams } from "react-router";
import { orderPath } from "@/domain/orders";
import { cx } from "@/shared/cx";
import { DeclinedLine } from "@/shared/ui/DeclinedLine";
import { FirstRun } from "@/shared/ui/FirstRun";
import { Link } from "@/shared/ui/Link";
import NotFound from "@/shared/ui/NotFound";
import { PageHeading } from "@/shared/ui/Page";
import { TabLinks } from "@/shared/ui/TabLinks";
import { PHONE, useMedia } from "@/shared/use-media";
import { OrderBand } from "./OrderBand";
import { OrderDetailsCard } from "./OrderDetailsCard";
import styles from "./OrderInfoScreen.module.css";
import { OrderList } from "./OrderList";
import { OrderProductsCard } from "./OrderProductsCard";
import type { OrderListItem, OrderQuery } from "./queries";
import { orderDetails, orderList, orderSums, paramsOf } from "./queries";
import { ALL_TABS, SHIPPED_TAB, TABS } from "./rules";
import { useFollowed, useOrderQuery } from "./use-order-query";

const ProposalsScreen = lazy(() => import("./proposals/ProposalsScreen"));

/** /invoice/{status_id}: tabs 0 to 5, anything else is no page; `?invoice_code=` selects an order, `&proposals=1` its proposals. */
export default function OrderInfoScreen() {
  const { status_id = "" } = useParams();
  const [query] = useSearchParams();
  if (!/^[0-5]$/.test(status_id)) return <NotFound />;
  const statusId = Number(status_id);
  const invoiceCode = query.get("invoice_code") ?? "";
  if (invoiceCode && query.has("proposals")) {
    return <ProposalsScreen invoiceCode={invoiceCode} back={orderPath(invoiceCode, statusId)} />;
  }
  return <Orders statusId={statusId} invoiceCode={invoiceCode} />;
}

/** The orders of a tab beside one of them: the one in the address, else on a desktop the first. */
function Orders({ statusId, invoiceCode }: { statusId: number; invoiceCode: string }) {
  const phone = useMedia(PHONE);
  const { filters, settled, setFilters } = useOrderQuery();
  const list = useInfiniteQuery(orderList(statusId, settled));
  const sums = useQuery({ ...orderSums(statusId, settled), enabled: list.isSuccess }).data;
  const { data: orders = [] } = list;
  const first = phone ? undefined : orders[0];
  const selected = invoiceCode || first?.invoice_code || "";
  // Pending too while the list may still bring the first one.
  const details = useQuery({ ...orderDetails(selected), enabled: selected !== "" });
  const was = useFollowed(selected, details);
  const panels = useRef<HTMLDivElement>(null);
  usePhoneFocus(phone ? invoiceCode : undefined, panels);

  const showsList = !phone || !invoiceCode;
  return (
    <div className={styles.page}>
      <Head statusId={statusId} hidden={!showsList} />
      <div
        // In the order of weight: list, band, products, details; the details stand in the middle.
        ref={panels}
        className={cx(
          styles.panels,
          "grid flex-1 gap-cards items-start pt-14",
          "phone:block phone:p-0",
          "paper:block",
          "phone:-mt-2 phone:-mb-18 phone:bg-surface",
          "paper:[&>section]:block paper:[&>section]:mb-14 paper:[&_li]:break-inside-avoid",
        )}
      >
        {list.isSuccess && orders.length === 0 && isAll(statusId, settled) && (
          <FirstRun className={styles.band} />
        )}
        {showsList && (
          <OrderList
            {...{ statusId, list, orders, sums, selected, filters }}
            onFilter={setFilters}
            className={styles.list}
          />
        )}
        {(selected || (!phone && list.isPending)) && (
          <>
            {phone && <OrderNav {...{ statusId, orders, selected }} />}
            <OrderBand {...{ details, selected, was }} className={styles.band} />
            <OrderProductsCard {...{ details, selected }} className={styles.products} />
            <OrderDetailsCard
              {...{ details, selected }}
              takesMessage={statusId !== SHIPPED_TAB}
              className={styles.details}
            />
          </>
        )}
      </div>
    </div>
  );
}

/** The page's h1 and its tabs; `hidden` beside an order alone on a phone, where a key still comes to the tabs. */
function Head({ statusId, hidden }: { statusId: number; hidden: boolean }) {
  return (
    <>
      <div className={hidden ? "sr-only" : styles.head}>
        <PageHeading title="Order Information" />
      </div>
      <DeclinedLine className={styles.declined} />
      <div className={hidden ? styles.tabsAside : undefined}>
        <TabLinks
          label="Orders by status"
          tabs={TABS.map((label, id) => ({
            to: `/invoice/${id}`,
            label,
            current: id === statusId,
          }))}
        />
      </div>
    </>
  );
}

interface OrderNavProps {
  statusId: number;
  orders: readonly OrderListItem[];
  selected: string;
}

/** Above an order on a phone: the way back to its tab, and to the next order of it. */
function OrderNav({ statusId, orders, selected }: OrderNavProps) {
  const at = orders.findIndex((order) => order.invoice_code === selected);
  const next = at === -1 ? undefined : orders[at + 1];
  return (
    <div
      className={cx(
        styles.nav,
        "phone:flex phone:justify-between phone:border-b phone:border-line",
      )}
    >
      <Link to={`/invoice/${statusId}`}>
        <ChevronLeft size={18} />
        {TABS[statusId]}
      </Link>
      {next && (
        <Link to={orderPath(next.invoice_code, statusId)} aria-label="Next order">
          <ChevronRight size={18} />
        </Link>
      )}
    </div>
  );
}

const isAll = (statusId: number, filters: OrderQuery) =>
  statusId === ALL_TABS && Object.keys(paramsOf(filters)).length === 0;

/** List and order take turns on a phone: the focus goes to the order's heading, and back to its row. */
function usePhoneFocus(code: string | undefined, panels: React.RefObject<HTMLDivElement | null>) {
  const before = useRef(code);
  useEffect(() => {
    const last = before.current;
    before.current = code;
    if (code === undefined || last === undefined || code === last) return;
    if (code) {
      window.scrollTo(0, 0);
      panels.current?.querySelector<HTMLElement>("[data-order-heading]")?.focus({
        preventScroll: true,
      });
      return;
    }
    panels.current?.querySelector<HTMLElement>(`[data-code="${CSS.escape(last)}"]`)?.focus();
  }, [code, panels]);
}
