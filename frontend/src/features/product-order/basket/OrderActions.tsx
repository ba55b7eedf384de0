import { useQuery } from "@tanstack/react-query";
import {
  ChevronDown,
  Download,
  Ellipsis,
  FileSpreadsheet,
  History,
  type LucideIcon,
  RotateCcw,
} from "lucide-react";
import { lazy, type ReactNode, useState } from "react";
import { useUser } from "@/api/session";
import { usd } from "@/domain/money";
import { counted } from "@/domain/units";
import { isoDate } from "@/shared/dates";
import { useIsOnline } from "@/shared/online";
import { saveFile } from "@/shared/save-file";
import { Button } from "@/shared/ui/Button";
import { failureText } from "@/shared/ui/failure";
import { MenuButton } from "@/shared/ui/MenuButton";
import { Failure } from "@/shared/ui/Panels";
import { Part } from "@/shared/ui/Part";
import { useOnceTrue } from "@/shared/ui/popup";
import { toast } from "@/shared/ui/toasts";
import { PHONE, useMedia } from "@/shared/use-media";
import { OrderFromList } from "../list/OrderFromList";
import { type RecentOrder, recentOrders } from "../queries";
import { usePriceList } from "./mutations";
import styles from "./OrderActions.module.css";
import type { Basket } from "./use-basket";
import { useOrderAgain } from "./use-order-again";

const AgainDialog = lazy(() => import("./AgainDialog"));
const PRICE_LIST = "Price_List.xlsx";

/**
 * Price list, Reset, Order from a list and Recent Orders; a phone has all but the last in a menu. `onRecalled` is told
 * when an earlier order or a list fills the basket.
 */
export default function OrderActions({
  basket,
  onRecalled,
}: {
  basket: Basket;
  onRecalled: () => void;
}) {
  const priceList = usePriceList();
  const again = useOrderAgain({ basket, onPut: onRecalled });
  const isOnline = useIsOnline();
  const askUsed = useOnceTrue(again.asked !== undefined);

  const download = async () => {
    again.reset();
    const file = await priceList.mutateAsync().catch(() => undefined);
    if (!file) return;
    saveFile(file, PRICE_LIST);
    toast(`${PRICE_LIST} downloaded`);
  };

  const actionsOf = (openList: () => void): readonly Action[] => [
    {
      name: "Price list",
      icon: Download,
      busy: priceList.isPending,
      disabled: !isOnline,
      act: () => void download(),
    },
    { name: "Reset", icon: RotateCcw, act: basket.reset },
    { name: "Order from a list", icon: FileSpreadsheet, disabled: !isOnline, act: openList },
  ];
  const recent = (
    <RecentOrders
      busy={again.busy}
      onSelect={(order) => {
        priceList.reset();
        again.replaceBy(order.invoice_code);
      }}
    />
  );
  const failed = priceList.error ?? again.error;
  return (
    <>
      <Failure text={failed ? failureText(failed) : again.failure} />
      <OrderFromList onPut={onRecalled}>
        {(openList) => <Actions recent={recent} actions={actionsOf(openList)} />}
      </OrderFromList>
      <Part>
        {askUsed && (
          <AgainDialog
            open={again.asked !== undefined}
            count={again.asked ?? 0}
            held={basket.items.length}
            onAnswer={again.answer}
            onClose={again.drop}
          />
        )}
      </Part>
    </>
  );
}

interface Action {
  readonly name: string;
  readonly icon: LucideIcon;
  readonly busy?: boolean;
  readonly disabled?: boolean;
  readonly act: () => void;
}

/** The actions as buttons, or behind “More”, in words. */
function Actions({ recent, actions }: { recent: ReactNode; actions: readonly Action[] }) {
  const phone = useMedia(PHONE);
  if (!phone) {
    return (
      <>
        {actions.map(({ name, icon: Icon, act, ...state }) => (
          <Button
            key={name}
            icon={<Icon size={16} strokeWidth={1.8} aria-hidden />}
            onClick={act}
            {...state}
          >
            {name}
          </Button>
        ))}
        {recent}
      </>
    );
  }
  return (
    <>
      {recent}
      <MenuButton
        className={styles.more}
        aria-label="More"
        icon={<Ellipsis size={18} strokeWidth={1.8} aria-hidden />}
        busy={actions.some(({ busy }) => busy)}
        entries={actions.map(({ name, icon: Icon, disabled = false, act }) => ({
          key: name,
          disabled,
          onSelect: act,
          content: (
            <span className={styles.entry}>
              <Icon size={16} strokeWidth={1.8} aria-hidden />
              {name}
            </span>
          ),
        }))}
      />
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
      className={styles.recentButton}
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
      Recent Orders
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
