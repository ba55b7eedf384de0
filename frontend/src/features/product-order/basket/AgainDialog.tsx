import { counted } from "@/domain/units";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";

interface AgainDialogProps {
  open: boolean;
  /** Products to be ordered again. */
  count: number;
  /** Products in the basket. */
  held: number;
  onAnswer: (how: "replace" | "add") => void;
  onClose: () => void;
}

/** What becomes of the products that are in the basket when others are ordered again. */
export default function AgainDialog({ open, count, held, onAnswer, onClose }: AgainDialogProps) {
  return (
    <Dialog
      open={open}
      onClose={onClose}
      title="Order again"
      footer={
        <>
          <Button onClick={() => onAnswer("replace")}>Replace them</Button>
          <Button variant="primary" onClick={() => onAnswer("add")}>
            Add to them
          </Button>
        </>
      }
    >
      <p>
        {counted(count, "product")} can be ordered again. There {held === 1 ? "is" : "are"}{" "}
        {counted(held, "product")} in the basket already.
      </p>
    </Dialog>
  );
}
