import { AlertDialog } from "@base-ui/react/alert-dialog";
import { CircleCheck, CircleQuestionMark, TriangleAlert } from "lucide-react";
import { useRef } from "react";
import styles from "./AlertPopup.module.css";
import type { Asked } from "./alerts";
import { Button } from "./Button";
import { focusBack } from "./focus";

const ICONS = { alert: TriangleAlert, done: CircleCheck, question: CircleQuestionMark };

/** One alert or question of the queue. */
export default function AlertPopup({ asked }: { asked: Asked }) {
  const first = useRef<HTMLButtonElement>(null);
  const question = asked.kind === "question";
  const Icon = ICONS[asked.kind];
  return (
    <AlertDialog.Root
      open
      onOpenChange={(open) => {
        if (!open) asked.answer(false);
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Backdrop className={styles.scrim} forceRender />
        <AlertDialog.Viewport className={styles.viewport}>
          <AlertDialog.Popup
            className={styles.popup}
            initialFocus={first}
            finalFocus={() => focusBack(asked.opener)}
          >
            <AlertDialog.Title className="visually-hidden">
              {question ? "Question" : "Alert"}
            </AlertDialog.Title>
            <span className={styles.icon} data-kind={asked.kind}>
              <Icon size={20} strokeWidth={1.8} aria-hidden />
            </span>
            <AlertDialog.Description className={styles.text}>{asked.text}</AlertDialog.Description>
            <div className={styles.answers}>
              {question && (
                <Button
                  ref={asked.first === "cancel" ? first : null}
                  onClick={() => asked.answer(false)}
                >
                  Cancel
                </Button>
              )}
              <Button
                variant="primary"
                ref={asked.first === "confirm" ? first : null}
                onClick={() => asked.answer(true)}
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
