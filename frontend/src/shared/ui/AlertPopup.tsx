import { AlertDialog } from "@base-ui/react/alert-dialog";
import { CircleCheck, CircleQuestionMark, TriangleAlert } from "lucide-react";
import { useRef } from "react";
import type { Alert } from "./alerts";
import { Button } from "./Button";
import { focusBack } from "./focus";

const ICONS = { alert: TriangleAlert, done: CircleCheck, question: CircleQuestionMark };

export default function AlertPopup({ shown }: { shown: Alert }) {
  const first = useRef<HTMLButtonElement>(null);
  const question = shown.kind === "question";
  const Icon = ICONS[shown.kind];
  return (
    <AlertDialog.Root open onOpenChange={(open) => open || shown.answer(false)}>
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className="fixed inset-0 z-(--z-alert) bg-(--scrim)" forceRender />
        <AlertDialog.Viewport className="fixed grid place-items-center inset-0 z-(--z-alert) p-16">
          <AlertDialog.Popup
            className="w-[min(400px,100%)] p-25 rounded-4 bg-surface shadow-dialog
              focus:outline-none forced-colors:border"
            initialFocus={first}
            finalFocus={() => focusBack(shown.opener)}
          >
            <AlertDialog.Title className="sr-only">
              {question ? "Question" : "Alert"}
            </AlertDialog.Title>
            <span
              className="grid place-items-center w-36 h-36 rounded-[10px] bg-warn-bg text-warn
                data-[kind=done]:bg-ok-bg data-[kind=done]:text-ok
                data-[kind=question]:bg-accent-soft data-[kind=question]:text-accent"
              data-kind={shown.kind}
            >
              <Icon size={20} />
            </span>
            <AlertDialog.Description className="mt-12 text-15.5 leading-[1.45]">
              {shown.text}
            </AlertDialog.Description>
            <div className="flex justify-end gap-12 mt-20 *:min-w-92">
              {question && (
                <Button
                  ref={shown.first === "cancel" ? first : null}
                  onClick={() => shown.answer(false)}
                >
                  Cancel
                </Button>
              )}
              <Button
                variant="primary"
                ref={shown.first === "confirm" ? first : null}
                onClick={() => shown.answer(true)}
              >
                {question ? "Confirm" : "OK"}
              </Button>
            </div>
          </AlertDialog.Popup>
        </AlertDialog.Viewport>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
