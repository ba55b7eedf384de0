import { useState } from "react";
import { counted } from "@/domain/units";
import { toast } from "@/shared/ui/toasts";
import { draftOf } from "./kept-decisions";
import { ListAnswer } from "./ListAnswer";
import { ListDone } from "./ListDone";
import { ListForm } from "./ListForm";
import { ListProgress } from "./ListProgress";
import { type ListLine, readyLines } from "./list-review";
import { draftOfMessage, type Reviewed } from "./pasted-message";
import { canComeBack, type ReviewedSheet, useSheetBack } from "./sheet-back";
import { type Begun, useSentList } from "./use-sent-list";
import { useUsingUp } from "./use-using-up";

interface ListDialogProps extends Begun {
  onClose: () => void;
  onPut: () => void;
}

/** What was put into the basket, while its sheet is given back. */
interface Done {
  readonly sheet: ReviewedSheet;
  readonly lines: readonly ListLine[];
}

/** From a list to the basket: choose it, see its problems, put the lines into the basket. */
export default function ListDialog({ onClose, onPut, ...begun }: ListDialogProps) {
  const { open, onInHand } = begun;
  const sent = useSentList(begun);
  const takeUp = useUsingUp();
  const sheet = useSheetBack();
  const [done, setDone] = useState<Done>();
  const [text, setText] = useState("");

  const close = () => {
    if (done?.sheet.uuid) sent.drop(done.sheet.uuid);
    onClose();
    onPut();
  };
  // On a phone the way to the basket takes the dialog away: first the sheet, then the basket.
  const finish = ({ review, name, file }: Reviewed, lines: readonly ListLine[]) => {
    const uuid = review.list ?? undefined;
    if (!canComeBack(name)) {
      if (uuid) sent.drop(uuid);
      toast(`${counted(readyLines(lines).length, "product")} put into the basket`);
      return close();
    }
    const reviewed = { name, uuid, file };
    sheet.mutate({ sheet: reviewed, lines });
    setDone({ sheet: reviewed, lines });
    onInHand(undefined);
  };

  if (done) {
    return (
      <ListDone
        open={open}
        reviewed={done.sheet}
        lines={done.lines}
        sheet={sheet}
        onClose={close}
      />
    );
  }
  if (sent.isComing) return <ListProgress {...{ open, onClose }} {...sent.opened} />;
  if (sent.answer) {
    const { number, reviewed } = sent.answer;
    return (
      <ListAnswer
        key={number}
        open={open}
        review={reviewed.review}
        decided={reviewed}
        draft={draftName(reviewed)}
        name={reviewed.name}
        busy={sent.busy}
        failure={sent.failure}
        onSaid={(columns) => sent.say(reviewed, columns)}
        onAgain={sent.again}
        onClose={onClose}
        together={reviewed.message !== undefined}
        onUse={() => takeUp(reviewed)}
        onPut={(lines) => finish(reviewed, lines)}
      />
    );
  }
  const { busy, name, failure, onRetry, send } = sent;
  const form = { open, busy, name, failure, onRetry, text, onClose };
  return <ListForm {...form} onText={setText} onFile={send} />;
}

/** What is decided of a review is kept under this name; without one it is not. */
function draftName({ message, review }: Reviewed): string {
  if (message) return draftOfMessage(message);
  return review.list ? draftOf(review.list) : "";
}
