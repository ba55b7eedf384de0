import type { ReactNode } from "react";
import { Button } from "@/shared/ui/Button";
import { Dialog, type DialogState } from "@/shared/ui/Dialog";

interface AgainDialogProps extends DialogState {
  title: string;
  /** How many products meet how many. */
  children: ReactNode;
  onAnswer: (how: "replace" | "add") => void;
}

/** What becomes of the products that are in the basket when others come. */
export default function AgainDialog({ children, onAnswer, ...dialog }: AgainDialogProps) {
  return (
    <Dialog
      {...dialog}
      footer={
        <>
          <Button onClick={() => onAnswer("replace")}>Replace them</Button>
          <Button variant="primary" onClick={() => onAnswer("add")}>
            Add to them
          </Button>
        </>
      }
    >
      <p>{children}</p>
    </Dialog>
  );
}
