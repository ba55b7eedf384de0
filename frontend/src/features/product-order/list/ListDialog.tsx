import { lazy, Suspense } from "react";
import { counted } from "@/domain/figures";
import type { DialogState } from "@/shared/ui/Dialog";
import { toast } from "@/shared/ui/toasts";
import { useOrderPlace } from "../use-order-place";
import { canComeBack, ListDone } from "./ListDone";
import { ListForm } from "./ListForm";
import { ListReview } from "./ListReview";
import { isOpen, readyLines } from "./list-review";
import { useOpenList } from "./use-open-list";

const SheetColumns = lazy(() => import("./SheetColumns"));

interface ListDialogProps extends DialogState {
  /** A file or text that was dropped or pasted on the page; without it the dialog asks for a list. */
  sent: File | string | undefined;
}

/** From a list to the basket: choose it, say what its columns hold, answer its problems, put the lines into the basket. */
export default function ListDialog({ open, sent, onClose }: ListDialogProps) {
  const { showPanel } = useOrderPlace();
  const toBasket = () => showPanel("basket");
  const opened = useOpenList(open, sent);
  const { number, list, isNaming, done } = opened;
  if (!list) return <ListForm {...{ open, opened, onClose }} />;
  if (done) return <ListDone {...{ open, list }} lines={done} onClose={toBasket} />;
  const tab = list.review.columns.find(({ is_read }) => is_read);
  const shared = { open, list, opened, onClose };
  if (isNaming && tab) {
    return (
      <Suspense fallback={null}>
        <SheetColumns key={number} {...shared} tab={tab} />
      </Suspense>
    );
  }
  return (
    <ListReview
      key={number}
      {...shared}
      onPut={(lines) => {
        opened.endKeeping();
        if (canComeBack(list.name) || lines.some(isOpen)) return opened.finish(lines);
        toast(`${counted(readyLines(lines).length, "product")} put into the basket`);
        toBasket();
      }}
    />
  );
}
