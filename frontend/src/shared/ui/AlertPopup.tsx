import { AlertDialog } from "@base-ui/react/alert-dialog";
import { CircleCheck, CircleQuestionMark, TriangleAlert } from "lucide-react";
import { useRef } from "react";
import styles from "./AlertPopup.module.css";
import type { Alert } from "./alerts";
import { Button } from "./Button";
import { focusBack } from "./focus";

const ICONS = { alert: TriangleAlert, done: CircleCheck, question: CircleQuestionMark };

/** One alert or question of the queue. */
export default function AlertPopup({ shown }: { shown: Alert }) {
  const first = useRef<HTMLButtonElement>(null);
  const question = shown.kind === "question";
  const Icon = ICONS[shown.kind];
  return (
    <AlertDialog.Root
      open
      onOpenChange={(open) => {
        if (!open) shown.answer(false);
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.scrim} forceRender />
        <AlertDialog.Viewport className={styles.viewport}>
          <AlertDialog.Popup
            className={styles.popup}
            initialFocus={first}
            finalFocus={() => focusBack(shown.opener)}
          >
            <AlertDialog.Title className="sr-only">
              {question ? "Question" : "Alert"}
            </AlertDialog.Title>
            <span className={styles.icon} data-kind={shown.kind}>
              <Icon size={20} strokeWidth={1.8} aria-hidden />
            </span>
            <AlertDialog.Description className={styles.text}>{shown.text}</AlertDialog.Description>
            <div className={styles.answers}>
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
