import { useQuery } from "@tanstack/react-query";
import { ArrowRight, Plus } from "lucide-react";
import { lazy, type ReactNode } from "react";
import { useNavigate } from "react-router";
import { usd } from "@/domain/figures";
import { Part, usePopup } from "@/shared/ui/popup";
import type { SavedBasket } from "./keep-basket";
import { factsOf, nameOf, SavedIcon, savedBaskets } from "./saved-baskets";

const BasketNameDialog = lazy(() => import("./BasketNameDialog"));
const IN_MENU = 6;

/** Entries of a menu for the baskets that were put by, and the dialog that names one; `onOpen` is told which to open. */
export function useBasketsMenu(canSave: boolean, onOpen: (uuid: string) => void) {
  const naming = usePopup();
  const navigate = useNavigate();
  const { data = [], refetch } = useQuery({ ...savedBaskets(), enabled: false });
  return {
    /** Call it when the menu opens: the baskets are asked for. */
    load: () => void refetch(),
    entries: [
      canSave && {
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
          onSelect: () => onOpen(saved.uuid),
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
    dialog: <Part>{naming.subject && <BasketNameDialog {...naming.dialog} />}</Part>,
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
