import { useQuery } from "@tanstack/react-query";
import { ArrowRight, Plus } from "lucide-react";
import { lazy, useState } from "react";
import { useUser } from "@/api/session";
import { type BasketLine, basket } from "@/domain/basket";
import { usd } from "@/domain/figures";
import { cx } from "@/shared/cx";
import { failureText } from "@/shared/ui/failure";
import { Part, usePopup } from "@/shared/ui/popup";
import { toast } from "@/shared/ui/toasts";
import { usePutIntoBasket } from "@/shared/use-put-into-basket";
import type { Basket, Note } from "../basket/use-basket";
import { useLinkedBasket } from "../basket/use-linked-basket";
import { checkStock, type Product, type ProductsBySku } from "../queries";
import styles from "./baskets-menu.module.css";
import { type SavedBasket, useKeepFormer } from "./keep-basket";
import { SavedIcon } from "./SavedIcon";
import { type BasketTask, factsOf, nameOf, savedBaskets, useSavedLines } from "./saved-baskets";

const BasketsDialog = lazy(() => import("./BasketsDialog"));
const IN_MENU = 6;
const LEFT_OUT = "Removed: not available now.";

interface Chosen {
  readonly product: Product;
  readonly count: number;
}

/** Entries of a menu for the baskets that were put by, and the dialog that some of them open. */
export function useBasketsMenu(shown: Basket) {
  const [opened, setOpened] = useState(false);
  const { subject: task, ...popup } = usePopup<BasketTask>();
  const { data, error, refetch } = useQuery({ ...savedBaskets(), enabled: opened });
  const put = usePut(shown);
  const open = (saved: SavedBasket) => {
    if (basket.lines().length > 0) return popup.show({ about: "open", saved });
    popup.close();
    void put.into(saved, "replace");
  };
  useLinkedBasket({ onAdd: (saved) => void put.into(saved, "add"), onOpen: open });
  return {
    busy: put.busy,
    /** Call it when the menu opens: the baskets are asked for. */
    load: () => {
      setOpened(true);
      if (error) void refetch();
    },
    entries: [
      ...(shown.items.length > 0
        ? [{ key: "save", onSelect: () => popup.show({ about: "save" }), content: <Save /> }]
        : []),
      ...namedFirst(data ?? [])
        .slice(0, IN_MENU)
        .map((saved, place) => ({
          key: saved.uuid,
          ...(place === 0 && { part: saved.kind === "named" ? "Named baskets" : "Former baskets" }),
          onSelect: () => open(saved),
          content: <Entry saved={saved} />,
        })),
      ...(data && data.length > 0
        ? [{ key: "all", part: "", onSelect: () => popup.show({ about: "all" }), content: <All /> }]
        : []),
    ],
    dialog: task && (
      <Part>
        <BasketsDialog
          key={`${task.about}:${"saved" in task ? task.saved?.uuid : ""}`}
          open={popup.open}
          task={task}
          basket={shown}
          saved={data ?? []}
          onAsk={popup.show}
          onOpen={open}
          onPut={(saved, how) => {
            popup.close();
            void put.into(saved, how);
          }}
          onClose={popup.close}
        />
      </Part>
    ),
  };
}

/** So that what was kept by itself pushes none out of the menu that the buyer has named. */
function namedFirst(saved: readonly SavedBasket[]): SavedBasket[] {
  return [...saved].sort((one, other) => former(one) - former(other));
}

const former = ({ kind }: SavedBasket): number => Number(kind !== "named");

/** Puts a basket that was put by into the basket: in place of what is there, or added to it. */
function usePut(shown: Basket) {
  const { uuid } = useUser();
  const savedLines = useSavedLines();
  const put = usePutIntoBasket();
  const keepFormer = useKeepFormer();
  const [busy, setBusy] = useState(false);

  const finish = (
    name: string,
    lines: readonly BasketLine[],
    known: ProductsBySku,
    how: "add" | "replace",
  ) => {
    const chosen: Chosen[] = [];
    const notes: Note[] = [];
    for (const { sku, count } of lines) {
      const product = known[sku];
      if (product?.selectable === 1) chosen.push({ product, count });
      else notes.push({ name: product?.eng_name ?? sku, text: LEFT_OUT });
    }
    const former = basket.lines();
    const { refused, undo } = put(chosen, how);
    if (refused) return toast(refused);
    shown.tell(notes);
    const kept = how === "replace" ? keepFormer("replaced", former) : "";
    toast(`“${name}” ${how === "add" ? "added" : "opened"}.${kept}`, () => {
      undo();
      shown.tell([]);
    });
  };

  const into = async (saved: SavedBasket, how: "add" | "replace") => {
    setBusy(true);
    try {
      const lines = await savedLines.mutateAsync(saved);
      finish(nameOf(saved), lines, await checkStock(uuid, lines), how);
    } catch (error) {
      console.error(error);
      toast(failureText(error));
    } finally {
      setBusy(false);
    }
  };
  return { busy, into };
}

function Save() {
  return (
    <span
      className="grid grid-cols-[16px_1fr_auto] gap-y-2 gap-x-12 items-center w-full
        min-w-[min(296px,80vw)] text-ink min-h-30
        [&_strong]:overflow-hidden [&_strong]:font-bold [&_strong]:text-ellipsis"
    >
      <Plus />
      <strong>Save this basket as …</strong>
    </span>
  );
}

function All() {
  return (
    <span
      className="grid grid-cols-[16px_1fr_auto] gap-y-2 gap-x-12 items-center w-full
        min-w-[min(296px,80vw)] text-ink min-h-30
        [&_strong]:overflow-hidden [&_strong]:font-bold [&_strong]:text-ellipsis"
    >
      <ArrowRight />
      All baskets
    </span>
  );
}

function Entry({ saved }: { saved: SavedBasket }) {
  return (
    <span
      className={cx(
        styles.entry,
        "grid grid-cols-[16px_1fr_auto] gap-y-2 gap-x-12 items-center w-full",
        "min-w-[min(296px,80vw)] text-ink",
        "[&_strong]:overflow-hidden [&_strong]:font-bold [&_strong]:text-ellipsis",
      )}
    >
      <SavedIcon saved={saved} />
      <strong>{nameOf(saved)}</strong>
      <span className="tabular-nums">{usd(saved.total)}</span>
      <span className="text-ink-3 text-13 col-[2/-1]">{factsOf(saved)}</span>
    </span>
  );
}
