import { useRef } from "react";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { PolicyText } from "@/shared/ui/PolicyText";
import { POLICY_TITLE } from "@/shared/ui/policy";

interface TermsDialogProps {
  open: boolean;
  onClose: () => void;
  onConfirm: () => void;
}

/** The terms modal; 'Confirm' accepts them. */
export default function TermsDialog({ open, onClose, onConfirm }: TermsDialogProps) {
  const confirm = useRef<HTMLButtonElement>(null);
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title={POLICY_TITLE}
      width={660}
      initialFocus={confirm}
      footer={
        <Button ref={confirm} variant="primary" onClick={onConfirm}>
          Confirm
        </Button>
      }
    >
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls can be scrolled by keys. */}
      <section aria-label={POLICY_TITLE} tabIndex={0}>
        <PolicyText level={3} />
      </section>
    </Dialog>
  );
}
