import { useRef, useState } from "react";
import { type AddressEntry, type BookAddress, useStates } from "@/api/addresses";
import { fieldError } from "@/api/client";
import { useUser } from "@/api/session";
import type { ShipFields } from "@/domain/shipping";
import { missingShipFields, NO_ADDRESS, REQUIRED_SHIP_FIELDS, shipOf } from "@/domain/shipping";
import { useDraft } from "@/shared/drafts";
import { limits } from "@/shared/limits";
import * as texts from "@/shared/texts";
import { AddressFields } from "@/shared/ui/AddressFields";
import { Dialog, type DialogState, FormButtons } from "@/shared/ui/Dialog";
import { TextField } from "@/shared/ui/Field";
import { OfflineReason } from "@/shared/ui/Panels";
import { RestoredLine } from "@/shared/ui/RestoredLine";
import { useSaveAddress } from "./queries";

type NamedAddress = ShipFields & { name: string };

interface AddressDialogProps extends DialogState {
  /** Null for a new one. */
  address: BookAddress | null;
  countries: readonly AddressEntry[];
}

export default function AddressDialog({ address, countries, ...dialog }: AddressDialogProps) {
  const save = useSaveAddress();
  const draft = useDraft<NamedAddress>({
    owner: useUser().uuid,
    form: `book:${address?.address_id ?? "new"}`,
    initial: { name: address?.name ?? "", ...(address ? shipOf(address) : NO_ADDRESS) },
  });
  const { name, ...place } = draft.value;
  const missing = [...(name.trim() ? [] : ["name"]), ...missingShipFields(place)];
  const [tried, setTried] = useState(false);
  const fields = useRef<HTMLDivElement>(null);
  const states = useStates(place.ship_country);
  const errorOf = (field: string) =>
    tried && missing.includes(field) ? texts.fieldRequired : fieldError(save.error, field);
  const submit = () => {
    setTried(true);
    if (missing.length > 0) {
      return fields.current?.querySelector<HTMLElement>(`[name="${missing[0]}"]`)?.focus();
    }
    const finish = () => {
      draft.forget();
      dialog.onClose();
    };
    const form = { ...place, name: name.trim(), address_id: address?.address_id };
    return save.mutateAsync(form, { onSuccess: finish }).catch(() => undefined);
  };
  return (
    <Dialog
      {...dialog}
      onSubmit={submit}
      title={address ? "Change address" : "Add address"}
      width={580}
      footer={<FormButtons onCancel={dialog.onClose} busy={save.isPending} />}
    >
      <div ref={fields}>
        <RestoredLine form={draft} />
        <TextField
          label="Name"
          name="name"
          required
          maxLength={limits.length.address_name}
          error={errorOf("name")}
          value={name}
          onChange={(event) => draft.change({ name: event.target.value })}
        />
        <AddressFields
          narrow
          value={place}
          onChange={draft.change}
          errorOf={errorOf}
          required={REQUIRED_SHIP_FIELDS}
          countries={countries}
          states={states}
        />
        <OfflineReason text="Saving needs a connection. The form is kept." />
      </div>
    </Dialog>
  );
}
