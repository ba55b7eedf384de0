import { counted, usd } from "@/domain/figures";
import { Button } from "@/shared/ui/Button";
import { Dialog, type DialogState } from "@/shared/ui/Dialog";
import AgainDialog from "../basket/AgainDialog";
import type { Basket } from "../basket/use-basket";
import { BasketNameDialog } from "./BasketNameDialog";
import type { SavedBasket } from "./keep-basket";
import { type BasketTask, factsOf, nameOf, useBasketActions } from "./saved-baskets";

interface BasketsDialogProps extends DialogState {
  task: BasketTask;
  basket: Basket;
  saved: readonly SavedBasket[];
  onAsk: (task: BasketTask) => void;
  onOpen: (saved: SavedBasket) => void;
  onPut: (saved: SavedBasket, how: "add" | "replace") => void;
}

/** Names a basket, asks how to open one, or lists them all. */
export default function BasketsDialog(props: BasketsDialogProps) {
  const { task } = props;
  if (task.about === "save") return <BasketNameDialog {...props} saved={task.saved} />;
  if (task.about === "all") return <AllDialog {...props} />;
  const { basket, onPut, ...dialog } = props;
  return (
    <AgainDialog
      {...dialog}
      title={`Open “${nameOf(task.saved)}”`}
      onAnswer={(how) => onPut(task.saved, how)}
    >
      There are {counted(basket.items.length, "product")} in your basket.
    </AgainDialog>
  );
}

function AllDialog({ open, saved, onAsk, onOpen, onPut, onClose }: BasketsDialogProps) {
  const ownActions = useBasketActions((basket) => onAsk({ about: "save", saved: basket }));
  const actions = (basket: SavedBasket) => [
    { key: "open", content: "Open", onSelect: () => onOpen(basket) },
    { key: "add", content: "Add", onSelect: () => onPut(basket, "add") },
    ...(basket.is_own === 1 ? ownActions(basket) : []),
  ];
  return (
    <Dialog open={open} onClose={onClose} title="Baskets" width={660}>
      {saved.length === 0 && <p>No baskets yet.</p>}
      <ul>
        {saved.map((basket) => (
          <li
            key={basket.uuid}
            className="grid border-b border-line grid-cols-[1fr_auto] gap-y-4 gap-x-16 py-14"
          >
            <strong>{nameOf(basket)}</strong>
            <strong className="tabular-nums">{usd(basket.total)}</strong>
            <span className="col-span-full text-ink-3 text-13">
              {factsOf(basket)} · {counted(basket.pieces, "piece")}
            </span>
            <div className="flex col-span-full flex-wrap gap-8 mt-6">
              {actions(basket).map(({ key, content, onSelect }) => (
                <Button
                  key={key}
                  size="small"
                  aria-label={`${content}, ${nameOf(basket)}`}
                  onClick={onSelect}
                >
                  {content}
                </Button>
              ))}
            </div>
          </li>
        ))}
      </ul>
    </Dialog>
  );
}
