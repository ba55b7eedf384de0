import { MailOpen } from "lucide-react";
import { useRef } from "react";
import { registrationTexts as texts } from "@/shared/registration-texts";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import styles from "./PendingDialog.module.css";

/** After the form was sent. Every way out of it leads to the start page. */
export default function PendingDialog({ onConfirm }: { onConfirm: () => void }) {
  const confirm = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open
      onClose={onConfirm}
      title="Sign up"
      initialFocus={confirm}
      footer={
        <Button ref={confirm} variant="primary" onClick={onConfirm}>
          Confirm
        </Button>
      }
    >
      <span className={styles.icon}>
        <MailOpen size={22} strokeWidth={1.8} aria-hidden />
      </span>
      <p className={styles.text}>{texts.pending}</p>
    </Dialog>
  );
}
