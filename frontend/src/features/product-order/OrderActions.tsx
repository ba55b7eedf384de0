import { useQuery } from "@tanstack/react-query";
import { ChevronDown, Download, History, RotateCcw } from "lucide-react";
import { useState } from "react";
import { useUser } from "@/api/session";
import { usd } from "@/domain/money";
import { counted } from "@/domain/units";
import { isoDate } from "@/shared/dates";
import { texts } from "@/shared/texts";
import { alert } from "@/shared/ui/alerts";
import { Button } from "@/shared/ui/Button";
import { failureText } from "@/shared/ui/failure";
import { MenuButton } from "@/shared/ui/MenuButton";
import { Failure } from "@/shared/ui/Panels";
import { toast } from "@/shared/ui/toasts";
import { usePriceList, useRecall } from "./mutations";
import styles from "./OrderActions.module.css";
import { OrderFromList } from "./OrderFromList";
import { type RecentOrder, recentOrders } from "./queries";
import type { Basket, Chosen } from "./use-basket";

const PRICE_LIST = "Price_List.xlsx";

/**
 * Price list, Reset, Order from a list and Recent Orders. `onRecalled` is told when an earlier order or a list fills the
 * basket.
 */
export default function OrderActions({
  basket,
  onRecalled,
}: {
  basket: Basket;
  onRecalled: () => void;
}) {
  const priceList = usePriceList();
  const recall = useRecall();

  const download = async () => {
    recall.reset();
    const file = await priceList.mutateAsync().catch(() => undefined);
    if (!file) return;
    save(file, PRICE_LIST);
    toast(`${PRICE_LIST} downloaded`);
  };

  const load = async (order: RecentOrder) => {
    priceList.reset();
    const answer = await recall.mutateAsync(order).catch(() => undefined);
    if (!answer) return;
    const chosen: Chosen[] = [];
    const leftOut: string[] = [];
    for (const { sku, count } of answer.lines) {
      const product = answer.known[sku];
      if (product?.selectable === 1) chosen.push({ product, count });
      else leftOut.push(product?.eng_name ?? sku);
    }
    if (chosen.length === 0) return alert(texts.nothingRetrievable);
    basket.replace(chosen, leftOut);
    onRecalled();
  };

  const failed = priceList.error ?? recall.error;
  return (
    <>
      <Failure text={failed ? failureText(failed) : undefined} />
      <Button
        className={styles.action}
        icon={<Download size={16} strokeWidth={1.8} aria-hidden />}
        busy={priceList.isPending}
        onClick={() => void download()}
      >
        <span className={styles.label}>Price list</span>
      </Button>
      <Button
        className={styles.action}
        icon={<RotateCcw size={16} strokeWidth={1.8} aria-hidden />}
        onClick={basket.reset}
      >
        <span className={styles.label}>Reset</span>
      </Button>
      <OrderFromList className={styles.action} labelClassName={styles.label} onPut={onRecalled} />
      <RecentOrders busy={recall.isPending} onSelect={(order) => void load(order)} />
    </>
  );
}

function RecentOrders({
  busy,
  onSelect,
}: {
  busy: boolean;
  onSelect: (order: RecentOrder) => void;
}) {
  const { uuid } = useUser();
  const [opened, setOpened] = useState(false);
  const { data, error, isError, refetch } = useQuery({ ...recentOrders(uuid), enabled: opened });
  const placeholder = isError ? failureText(error) : data ? "No orders yet." : "Loading";
  return (
    <MenuButton
      className={styles.action}
      icon={<History size={16} strokeWidth={1.8} aria-hidden />}
      busy={busy}
      onOpen={() => {
        setOpened(true);
        if (isError) void refetch();
      }}
      placeholder={placeholder}
      entries={(data ?? []).map((order) => ({
        key: order.invoice_code,
        onSelect: () => onSelect(order),
        content: <RecentEntry order={order} />,
      }))}
    >
      <span className={styles.label}>Recent Orders</span>
      <ChevronDown className={styles.chevron} size={16} strokeWidth={1.8} aria-hidden />
    </MenuButton>
  );
}

function RecentEntry({ order }: { order: RecentOrder }) {
  return (
    <span className={styles.recent}>
      <strong className="num">{order.invoice_code}</strong>
      <strong className="num">{usd(order.total)}</strong>
      <span className="num">{isoDate(order.build_date)}</span>
      <span className="num">{counted(order.count, "product")}</span>
    </span>
  );
}

function save(file: Blob, name: string) {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(file);
  link.download = name;
  link.click();
  // The browser reads the address after the click has been handled.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}
