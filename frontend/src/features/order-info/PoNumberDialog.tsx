import { useState } from "react";
import { limits } from "@/shared/limits";
import { pageTexts } from "@/shared/page-texts";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { TextField } from "@/shared/ui/Field";
import { GivenFile } from "./GivenFile";
import { useSetPoNumber } from "./mutations";
import type { Order } from "./queries";

interface PoNumberDialogProps {
  open: boolean;
  onClose: () => void;
  order: Order;
}

/** Gives an order the buyer's own number, or takes it away. */
export default function PoNumberDialog({ open, onClose, order }: PoNumberDialogProps) {
  const [text, setText] = useState(order.po_number);
  const save = useSetPoNumber(order.invoice_code);
  const submit = () => {
    if (!save.isPending) save.mutate(text.trim(), { onSuccess: onClose });
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      onSubmit={submit}
      title="PO number"
      subline={<span className="num">{order.invoice_code}</span>}
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button variant="primary" type="submit" busy={save.isPending}>
            Save
          </Button>
        </>
      }
    >
      <TextField
        label="PO number"
        hint={pageTexts.poNumberHint}
        maxLength={limits.length.po_number}
        autoComplete="off"
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <GivenFile
        of="po-file"
        invoiceCode={order.invoice_code}
        label="Attach the PO file"
        file={order.po_file}
      />
    </Dialog>
  );
}
