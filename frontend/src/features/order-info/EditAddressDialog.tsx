import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { useStates } from "@/api/addresses";
import { faultyFields, fieldError } from "@/api/client";
import { useUser } from "@/api/session";
import { orderPath } from "@/domain/orders";
import { missingShipFields, REQUIRED_SHIP_FIELDS, type ShipField } from "@/domain/shipping";
import { useDraft } from "@/shared/drafts";
import * as texts from "@/shared/texts";
import { AddressFields } from "@/shared/ui/AddressFields";
import { alertSuccess, confirm } from "@/shared/ui/alerts";
import { Dialog, type DialogState, FormButtons } from "@/shared/ui/Dialog";
import { OfflineReason } from "@/shared/ui/Panels";
import { RestoredLine } from "@/shared/ui/RestoredLine";
import { type AddressForm, useEditAddress } from "./mutations";
import type { Order } from "./queries";

interface EditAddressDialogProps extends DialogState {
  order: Order;
  info: AddressForm;
}

/** Popup 'Edit Address' of an order (specification section 2). */
export default function EditAddressDialog({ order, info, ...dialog }: EditAddressDialogProps) {
  const navigate = useNavigate();
  const save = useEditAddress(order.invoice_code);
  const draft = useDraft({
    owner: useUser().uuid,
    form: `address:${order.invoice_code}`,
    initial: info.addressInfo,
  });
  const address = draft.value;
  const missing = missingShipFields(address);
  const [tried, setTried] = useState(false);
  const fields = useRef<HTMLDivElement>(null);
  // The states of the country that the order has now came with the address.
  const states = useStates(address.ship_country, {
    country: info.addressInfo.ship_country,
    states: info.stateList,
  });
  const errorOf = (name: ShipField) =>
    tried && missing.includes(name) ? texts.fieldRequired : fieldError(save.error, name);

  const focusField = (name: string | undefined) =>
    fields.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();

  const submit = async () => {
    setTried(true);
    if (missing[0]) return focusField(missing[0]);
    if (!(await confirm(texts.changeAddress))) return;
    try {
      await save.mutateAsync(address);
    } catch (error) {
      return focusField(faultyFields(error)[0]);
    }
    draft.forget();
    await alertSuccess(texts.addressChanged);
    dialog.onClose();
    void navigate(orderPath(order.invoice_code, order.status_id));
  };

  return (
    <Dialog
      {...dialog}
      onSubmit={submit}
      title="Edit Address"
      subline={<span className="tabular-nums">{order.invoice_code}</span>}
      width={580}
      footer={<FormButtons onCancel={dialog.onClose} busy={save.isPending} />}
    >
      <OfflineReason text="Saving needs a connection. The form is kept." />
      <RestoredLine form={draft} />
      <AddressFields
        ref={fields}
        narrow
        required={REQUIRED_SHIP_FIELDS}
        value={address}
        onChange={draft.change}
        errorOf={errorOf}
        countries={info.countryList}
        states={states}
      />
    </Dialog>
  );
}
