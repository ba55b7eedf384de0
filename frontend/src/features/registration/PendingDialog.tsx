import { MailOpen } from "lucide-react";
import * as texts from "@/shared/texts";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";

/** After the form was sent. Every way out of it leads to the start page. */
export default function PendingDialog({ onConfirm }: { onConfirm: () => void }) {
  return (
    <Dialog
      open
      onClose={onConfirm}
      title="Sign up"
      footer={
        <Button variant="primary" onClick={onConfirm}>
          Confirm
        </Button>
      }
    >
      <span className="grid place-items-center rounded-3 w-44 h-44 bg-ok-bg text-ok">
        <MailOpen size={22} />
      </span>
      <p className="mt-14 text-16 leading-[1.5]">{texts.pending}</p>
    </Dialog>
  );
}
