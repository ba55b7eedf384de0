import { useMutation, useQuery } from "@tanstack/react-query";
import { ArrowRight, Plus } from "lucide-react";
import { lazy, type ReactNode, useState } from "react";
import { useNavigate, useSearchParams } from "react-router";
import { api, unwrap } from "@/api/client";
import { useUser } from "@/api/session";
import { basket } from "@/domain/basket";
import { counted, usd } from "@/domain/figures";
import { useOnChange } from "@/shared/effects";
import { failureText } from "@/shared/ui/failure";
import { Part, usePopup } from "@/shared/ui/popup";
import { toast } from "@/shared/ui/toasts";
import type { Basket } from "../basket/use-basket";
import { useFill } from "../basket/use-order-again";
import { checkStock } from "../queries";
import { without } from "../use-order-place";
import type { SavedBasket } from "./keep-basket";
import { factsOf, nameOf, SavedIcon, savedBaskets } from "./saved-baskets";

const AgainDialog = lazy(() => import("../basket/AgainDialog"));
const BasketNameDialog = lazy(() => import("./BasketNameDialog"));
const IN_MENU = 6;
const UNAVAILABLE = "Removed: not available now.";

interface Opening {
  readonly saved: SavedBasket;
  readonly how: "add" | "replace";
}

/** Entries of a menu for the baskets that were put by, and the dialogs that some of them open. */
export function useBasketsMenu(target: Basket) {
  const { uuid } = useUser();
  const [isOpened, setOpened] = useState(false);
  const naming = usePopup();
  const asking = usePopup<SavedBasket>();
  const [query, setQuery] = useSearchParams();
  const navigate = useNavigate();
  const [opened, added] = [query.get("open"), query.get("add")];
  const linked = opened ?? added;
  const list = useQuery({ ...savedBaskets(), enabled: isOpened || linked !== null });
  const { data = [], error, refetch } = list;
  const fill = useFill(target);
  const { isPending, mutate: put } = useMutation({
    mutationFn: async ({ saved, how }: Opening) => {
      const params = { path: { basket: saved.uuid } };
      const { lines } = unwrap(await api.GET("/baskets/{basket}", { params }));
      const products = await checkStock(uuid, lines);
      const candidates = lines.map(({ sku, count }) => ({ sku, count, product: products[sku] }));
      const refused = fill({
        how,
        items: candidates.flatMap(({ product, count }) =>
          product?.selectable === 1 ? [{ product, count }] : [],
        ),
        notes: candidates.flatMap(({ product, sku }) =>
          product?.selectable === 1 ? [] : [{ name: product?.eng_name ?? sku, text: UNAVAILABLE }],
        ),
        former: "replaced",
        message: (note) => `“${nameOf(saved)}” ${how === "add" ? "added" : "opened"}.${note}`,
      });
      if (refused) toast(refused);
    },
    onError: (failure) => toast(failureText(failure)),
  });
  const open = (saved: SavedBasket) => {
    if (basket.lines().length > 0) asking.show(saved);
    else put({ saved, how: "replace" });
  };
  // What `savedBasketLink` asks for, once: a reload must not add a basket again.
  const isSettled = list.isSuccess || list.isError;
  useOnChange(linked !== null && isSettled ? `${linked} ${added}` : undefined, () => {
    setQuery(without(query, "open", "add"), { replace: true });
    const saved = data.find(({ uuid }) => uuid === linked);
    if (!saved) toast(error ? failureText(error) : "This basket is no longer there.");
    else if (opened === null) put({ saved, how: "add" });
    else open(saved);
  });
  return {
    busy: isPending,
    /** Call it when the menu opens: the baskets are asked for. */
    load: () => {
      setOpened(true);
      if (error) void refetch();
    },
    entries: [
      target.items.length > 0 && {
        key: "save",
        onSelect: () => naming.show(true),
        content: (
          <Line icon={<Plus />}>
            <strong>Save this basket as …</strong>
          </Line>
        ),
      },
      // The named ones first, so that what was kept by itself pushes none of them out of the menu.
      ...data
        .toSorted((one, other) => former(one) - former(other))
        .slice(0, IN_MENU)
        .map((saved, place) => ({
          key: saved.uuid,
          ...(place === 0 && { part: saved.kind === "named" ? "Named baskets" : "Former baskets" }),
          onSelect: () => open(saved),
          content: (
            <Line icon={<SavedIcon saved={saved} />}>
              <strong>{nameOf(saved)}</strong>
              <span className="tabular-nums text-ink-3 text-13">{usd(saved.total)}</span>
              <span className="text-ink-3 text-13 col-[2/-1]">{factsOf(saved)}</span>
            </Line>
          ),
        })),
      data.length > 0 && {
        key: "all",
        part: "",
        onSelect: () => void navigate("/account/baskets"),
        content: <Line icon={<ArrowRight />}>All baskets</Line>,
      },
    ].filter((entry) => entry !== false),
    dialogs: (
      <Part>
        {naming.subject && <BasketNameDialog {...naming.dialog} />}
        {asking.subject && (
          <AgainDialog
            {...asking.dialog}
            title={`Open “${nameOf(asking.subject)}”`}
            onAnswer={(how) => {
              asking.close();
              if (asking.subject) put({ saved: asking.subject, how });
            }}
          >
            There are {counted(target.items.length, "product")} in your basket.
          </AgainDialog>
        )}
      </Part>
    ),
  };
}

const former = ({ kind }: SavedBasket): number => Number(kind !== "named");

function Line({ icon, children }: { icon: ReactNode; children: ReactNode }) {
  return (
    <span
      className="grid grid-cols-[16px_1fr_auto] gap-y-2 gap-x-12 items-center w-full
        min-w-[min(296px,80vw)] text-ink min-h-30
        [&_strong]:overflow-hidden [&_strong]:font-bold [&_strong]:text-ellipsis
        [&>svg:has(~span)]:row-span-2 [&>svg:has(~span)]:text-ink-3"
    >
      {icon}
      {children}
    </span>
  );
}
