import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { useUser } from "@/api/session";
import { missingShipFields, type ShipFields, shipOf } from "@/domain/shipping";
import { useDraft } from "@/shared/drafts";
import { limits } from "@/shared/limits";
import * as texts from "@/shared/texts";
import { alert } from "@/shared/ui/alerts";
import { usePaymentMethod } from "@/shared/ui/PaymentMethods";
import type { TemporaryOrder } from "./queries";
import type { CheckoutFields, FieldErrors } from "./rules";

/** What the buyer fills in, kept as a draft, and what is wrong with it. */
export function useCheckoutFields(order: TemporaryOrder) {
  const { uuid, company } = useUser();
  const form = useRef<HTMLFormElement>(null);
  const draft = useDraft<CheckoutFields>({
    owner: uuid,
    form: `checkout:${order.invoice_code}`,
    initial: {
      declaration: "YES",
      responsible: false,
      address: shipOf(order),
      memo: "",
      poNumber: "",
      method: "T/T",
      depositor: company.slice(0, limits.length.depositor),
    },
  });
  const [errors, setErrors] = useState<FieldErrors>({});
  const [isAddressEdited, setAddressEdited] = useState(missingShipFields(order).length > 0);
  const { method, chooseMethod } = usePaymentMethod(order, draft.value.method, (next) => {
    draft.change({ method: next });
    // A wire says that it needs the declaration.
    if (next === "T/T" && draft.value.declaration === "NO") void alert(texts.declarationForWire);
  });

  const focus = (name: string) =>
    form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();
  const forgetErrors = (changed: object) =>
    setErrors((before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => !(name in changed))),
    );

  return {
    form,
    fields: { ...draft.value, method },
    errors,
    draft,
    change: (changes: Partial<CheckoutFields>) => {
      draft.change(changes);
      forgetErrors(changes);
    },
    changeAddress: (changes: Partial<ShipFields>) => {
      draft.update((before) => ({ ...before, address: { ...before.address, ...changes } }));
      forgetErrors(changes);
    },
    /** The address is a text until the buyer changes it, or must. */
    isAddressEdited,
    editAddress: () => {
      flushSync(() => setAddressEdited(true));
      focus("ship_country");
    },
    chooseMethod,
    focus,
    /** Says what is wrong at the fields, if anything is; the first of them has the focus. */
    showErrors: (faults: FieldErrors): boolean => {
      const names = Object.keys(faults);
      if (!names[0]) return false;
      flushSync(() => {
        setErrors(faults);
        if (names.some((name) => name.startsWith("ship_"))) setAddressEdited(true);
      });
      focus(names[0]);
      return true;
    },
  };
}
