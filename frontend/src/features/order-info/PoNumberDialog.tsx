import { fieldError } from "@/api/client";
import { useUser } from "@/api/session";
import { useDraft } from "@/shared/drafts";
import { limits } from "@/shared/limits";
import * as texts from "@/shared/texts";
import { Dialog, type DialogState, FormButtons } from "@/shared/ui/Dialog";
import { TextField } from "@/shared/ui/Field";
import { OfflineReason } from "@/shared/ui/Panels";
import { RestoredLine } from "@/shared/ui/RestoredLine";
import { GivenFile } from "./GivenFile";
import { useSetPoNumber } from "./mutations";
import type { Order } from "./queries";

/** Gives an order the buyer's own number, or takes it away. */
export default function PoNumberDialog({ order, ...dialog }: DialogState & { order: Order }) {
  const draft = useDraft({
    owner: useUser().uuid,
    form: `po:${order.invoice_code}`,
    initial: order.po_number,
  });
  const save = useSetPoNumber(order.invoice_code);
  const submit = () => {
    const finish = () => {
      draft.forget();
      dialog.onClose();
    };
    return save.mutateAsync(draft.value.trim(), { onSuccess: finish }).catch(() => undefined);
  };
  return (
    <Dialog
      {...dialog}
      onSubmit={submit}
      title="PO number"
      subline={<span className="tabular-nums">{order.invoice_code}</span>}
      footer={<FormButtons onCancel={dialog.onClose} busy={save.isPending} />}
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
