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
import { lazy, useState } from "react";
import { api, unwrap } from "@/api/client";
import type { components } from "@/api/schema.gen";
import { useUser } from "@/api/session";
import { counted, usd } from "@/domain/figures";
import { cx } from "@/shared/cx";
import { dayText } from "@/shared/dates";
import { useIsOnline } from "@/shared/online";
import { orderKeys } from "@/shared/query-keys";
import { saveFile } from "@/shared/save-file";
import { Button } from "@/shared/ui/Button";
import { failureText } from "@/shared/ui/failure";
import { MenuButton } from "@/shared/ui/MenuButton";
import { Failure } from "@/shared/ui/Panels";
import { Part, useOnceTrue } from "@/shared/ui/popup";
import { toast } from "@/shared/ui/toasts";
import { PHONE, useMedia } from "@/shared/use-media";
import { useBasketsMenu } from "../baskets/use-baskets-menu";
import { OrderFromList } from "../list/OrderFromList";
import { usePriceList } from "./mutations";
import type { Basket } from "./use-basket";
import { useOrderAgain } from "./use-order-again";

const AgainDialog = lazy(() => import("./AgainDialog"));
const RECENT_ORDERS = 5;
const PRICE_LIST = "Price_List.xlsx";
const RECENT = "Recent Orders";
/**
 * Price list, Reset and Recent Orders, and a menu with the rest; a phone has one menu of them all.
 * `onRecalled` is told when an earlier order or a list fills the basket.
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

  const { uuid } = useUser();
  const [opened, setOpened] = useState(false);
  const recent = useQuery({
    queryKey: [...orderKeys.all, "recent"],
    queryFn: async ({ signal }) => {
      const params = { path: { uuid, n: RECENT_ORDERS } };
      return unwrap(await api.GET("/recent/order/{uuid}/{n}", { params, signal })).result;
    },
    enabled: opened,
  });
  const openRecent = () => {
    setOpened(true);
    if (recent.isError) void recent.refetch();
  };
  const recentEntries = (recent.data ?? []).map((order) => ({
    key: order.invoice_code,
    onSelect: () => {
      priceList.reset();
      again.replaceBy(order.invoice_code);
    },
    content: <RecentEntry order={order} />,
  }));
  const noRecent = recent.isError
    ? failureText(recent.error)
    : recent.data
      ? "No orders yet."
      : "Loading";

  const onHead: readonly Action[] = [
    {
      name: "Price list",
      icon: Download,
      busy: priceList.isPending,
      disabled: !isOnline,
      act: () => void download(),
    },
    { name: "Reset", icon: RotateCcw, act: basket.reset },
  ];
  const baskets = useBasketsMenu(basket);
  const inMenu = (openList: () => void) => [
    entryOf({
      name: "Order from a list",
      icon: FileSpreadsheet,
      disabled: !isOnline,
      act: openList,
    }),
    ...baskets.entries,
  ];
  const phone = useMedia(PHONE);
  const failed = priceList.error ?? again.error;
  return (
    <>
      <Failure text={failed ? failureText(failed) : again.failure} />
      <OrderFromList onPut={onRecalled}>
        {(openList) =>
          phone ? (
            <MenuButton
              isSheet
              square
              aria-label="More"
              icon={<Ellipsis />}
              busy={priceList.isPending || again.busy || baskets.busy}
              onOpen={() => {
                openRecent();
                baskets.load();
              }}
              entries={[
                ...onHead.map(entryOf),
                ...inMenu(openList),
                ...(recentEntries.length > 0
                  ? recentEntries
                  : [{ key: "none", disabled: true, content: noRecent, onSelect: () => undefined }]
                ).map((entry, place) => ({ ...entry, ...(place === 0 && { part: RECENT }) })),
              ]}
            />
          ) : (
            <>
              {onHead.map(({ name, icon: Icon, act, ...state }) => (
                <Button key={name} icon={<Icon />} onClick={act} {...state}>
                  {name}
                </Button>
              ))}
              <MenuButton
                icon={<History />}
                busy={again.busy}
                onOpen={openRecent}
                placeholder={noRecent}
                entries={recentEntries}
              >
                {RECENT}
                <ChevronDown />
              </MenuButton>
              <MenuButton
                square
                aria-label="More"
                icon={<Ellipsis />}
                busy={baskets.busy}
                onOpen={baskets.load}
                entries={inMenu(openList)}
              />
            </>
          )
        }
      </OrderFromList>
      {baskets.dialog}
      <Part>
        {askUsed && (
          <AgainDialog
            open={again.asked !== undefined}
            title="Order again"
            onAnswer={again.answer}
            onClose={again.drop}
          >
            {counted(again.asked ?? 0, "product")} can be ordered again. There{" "}
            {basket.items.length === 1 ? "is" : "are"} {counted(basket.items.length, "product")} in
            the basket already.
          </AgainDialog>
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

function entryOf({ name, icon: Icon, disabled = false, act }: Action) {
  return {
    key: name,
    disabled,
    onSelect: act,
    content: (
      <span className="flex items-center gap-11 min-h-28">
        <Icon />
        {name}
      </span>
    ),
  };
}

function RecentEntry({ order }: { order: components["schemas"]["RecentOrder"] }) {
  return (
    <span
      className={cx(
        "grid grid-cols-[1fr_auto] gap-y-2 gap-x-24 min-w-264 [&>:nth-child(even)]:text-right",
        "[&_span]:text-ink-3 [&_span]:text-13 [&_strong]:font-medium",
      )}
    >
      <strong className="tabular-nums">{order.invoice_code}</strong>
      <strong className="tabular-nums">{usd(order.total)}</strong>
      <span className="tabular-nums">{dayText(order.build_date)}</span>
      <span className="tabular-nums">{counted(order.count, "product")}</span>
    </span>
  );
}
