import { useMutation, useQuery } from "@tanstack/react-query";
import type { LucideIcon } from "lucide-react";
import { ChevronDown, Download, Ellipsis, FileSpreadsheet, History, RotateCcw } from "lucide-react";
import { api, unwrap } from "@/api/client";
import { useUser } from "@/api/session";
import { counted, dayText, usd } from "@/domain/figures";
import { saveFile } from "@/shared/files";
import { useIsOnline } from "@/shared/online";
import { orderKeys } from "@/shared/query-keys";
import { Button } from "@/shared/ui/Button";
import { failureText } from "@/shared/ui/failure";
import { MenuButton } from "@/shared/ui/MenuButton";
import { Failure } from "@/shared/ui/Panels";
import { toast } from "@/shared/ui/toasts";
import { PHONE, useMedia } from "@/shared/use-media";
import { useBasketsMenu } from "../baskets/use-baskets-menu";
import { useOrderFromList } from "../list/use-order-from-list";
import type { Basket } from "./use-basket";
import { useRefill } from "./use-refill";

const RECENT_ORDERS = 5;
const PRICE_LIST = "Price_List.xlsx";
const RECENT = "Recent Orders";

/** The basket's actions, on a phone in one menu. */
export default function OrderActions({ basket }: { basket: Basket }) {
  const { uuid } = useUser();
  const priceList = useMutation({
    mutationFn: async () => {
      const params = { path: { uuid }, query: { format: "xlsx" as const } };
      const call = await api.GET("/excel/product-setting/{uuid}", { params, parseAs: "blob" });
      return unwrap(call) as unknown as Blob;
    },
    onSuccess: (file) => {
      saveFile(file, PRICE_LIST);
      toast(`${PRICE_LIST} downloaded`);
    },
  });
  const refill = useRefill(basket);
  const isOnline = useIsOnline();
  const recent = useRecentOrders((invoiceCode) => {
    priceList.reset();
    void refill.replaceByOrder(invoiceCode);
  });
  const baskets = useBasketsMenu(basket.items.length > 0, refill.openSaved);
  const list = useOrderFromList();
  const phone = useMedia(PHONE);

  const downloadPriceList = () => {
    refill.reset();
    priceList.mutate();
  };
  const inMenu = [
    entryOf("Order from a list", FileSpreadsheet, list.open, !isOnline),
    ...baskets.entries,
  ];
  return (
    <>
      <Failure text={refill.failure} error={priceList.error} />
      {phone ? (
        <MenuButton
          isSheet
          square
          aria-label="More"
          icon={<Ellipsis />}
          busy={priceList.isPending || refill.waitsFor !== undefined}
          onOpen={() => {
            recent.open();
            baskets.load();
          }}
          entries={[
            entryOf("Price list", Download, downloadPriceList, !isOnline),
            entryOf("Reset", RotateCcw, basket.reset),
            ...inMenu,
            ...(recent.entries.length > 0
              ? recent.entries
              : [{ key: "none", disabled: true, content: recent.placeholder }]
            ).map((entry, place) => ({ ...entry, ...(place === 0 && { part: RECENT }) })),
          ]}
        />
      ) : (
        <>
          <Button
            icon={<Download />}
            busy={priceList.isPending}
            disabled={!isOnline}
            onClick={downloadPriceList}
          >
            Price list
          </Button>
          <Button icon={<RotateCcw />} onClick={basket.reset}>
            Reset
          </Button>
          <MenuButton
            icon={<History />}
            busy={refill.waitsFor === "order"}
            onOpen={recent.open}
            placeholder={recent.placeholder}
            entries={recent.entries}
          >
            {RECENT}
            <ChevronDown />
          </MenuButton>
          <MenuButton
            square
            aria-label="More"
            icon={<Ellipsis />}
            busy={refill.waitsFor === "saved"}
            onOpen={baskets.load}
            entries={inMenu}
          />
        </>
      )}
      {list.dialog}
      {baskets.dialog}
      {refill.dialog}
    </>
  );
}

function entryOf(name: string, Icon: LucideIcon, act: () => void, disabled = false) {
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

/** The last orders as entries of a menu, asked for once it opens; choosing one tells `onChoose`. */
function useRecentOrders(onChoose: (invoiceCode: string) => void) {
  const { uuid } = useUser();
  const { data, error, isError, refetch } = useQuery({
    queryKey: [...orderKeys.all, "recent"],
    queryFn: async ({ signal }) => {
      const params = { path: { uuid, n: RECENT_ORDERS } };
      return unwrap(await api.GET("/recent/order/{uuid}/{n}", { params, signal })).result;
    },
    enabled: false,
  });
  const empty = data ? "No orders yet." : "Loading";
  return {
    open: () => void refetch(),
    placeholder: isError ? failureText(error) : empty,
    entries: (data ?? []).map((order) => ({
      key: order.invoice_code,
      onSelect: () => onChoose(order.invoice_code),
      content: (
        <span
          className="grid grid-cols-[1fr_auto] gap-y-2 gap-x-24 min-w-264 tabular-nums
            [&>:nth-child(even)]:text-right [&_span]:text-ink-3 [&_span]:text-13
            [&_strong]:font-medium"
        >
          <strong>{order.invoice_code}</strong>
          <strong>{usd(order.total)}</strong>
          <span>{dayText(order.build_date)}</span>
          <span>{counted(order.count, "product")}</span>
        </span>
      ),
    })),
  };
}
