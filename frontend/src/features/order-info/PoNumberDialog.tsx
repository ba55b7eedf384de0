import { fieldError } from "@/api/client";
import { useUser } from "@/api/session";
import { useDraft } from "@/shared/drafts";
import { limits } from "@/shared/limits";
import * as texts from "@/shared/texts";
import { Dialog, FormButtons } from "@/shared/ui/Dialog";
import { TextField } from "@/shared/ui/Field";
import { OfflineReason } from "@/shared/ui/Panels";
import { RestoredLine } from "@/shared/ui/RestoredLine";
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
  const draft = useDraft({
    owner: useUser().uuid,
    form: `po:${order.invoice_code}`,
    initial: order.po_number,
  });
  const save = useSetPoNumber(order.invoice_code);
  const submit = () => {
    const finish = () => {
      draft.forget();
      onClose();
    };
    if (!save.isPending) save.mutate(draft.value.trim(), { onSuccess: finish });
  };
  return (
    <Dialog
      open={open}
      onClose={onClose}
      onSubmit={submit}
      title="PO number"
      subline={<span className="tabular-nums">{order.invoice_code}</span>}
      footer={<FormButtons onCancel={onClose} busy={save.isPending} />}
    >
      <RestoredLine form={draft} />
      <TextField
        label="PO number"
        hint={texts.poNumberHint}
        error={fieldError(save.error, "po_number")}
        maxLength={limits.length.po_number}
        autoComplete="off"
        value={draft.value}
        onChange={(event) => draft.update(() => event.target.value)}
      />
      <GivenFile
        of="po-file"
        invoiceCode={order.invoice_code}
        label="Attach the PO file"
        file={order.po_file}
      />
      <OfflineReason text="Saving needs a connection. The form is kept." />
    </Dialog>
  );
}
