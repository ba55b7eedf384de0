import { type RefObject, useState } from "react";
import type { PaymentMethod } from "@/domain/paypal";
import { type ShipFields, shipOf } from "@/domain/shipping";
import { pageTexts } from "@/shared/page-texts";
import { alert, confirm } from "@/shared/ui/alerts";
import { draft } from "./draft";
import type { CheckoutFields, ShipErrors } from "./fields";
import type { TemporaryOrder } from "./queries";

/** What the buyer fills in and what is wrong with the address. `form` holds the address fields. */
export function useCheckoutFields(order: TemporaryOrder, form: RefObject<HTMLElement | null>) {
  const [fields, setFields] = useState<CheckoutFields>(() => ({
    declaration: "YES",
    responsible: false,
    address: shipOf(order),
    memo: "",
    method: "T/T",
    depositor: "",
    ...draft.kept(order.invoice_code),
  }));
  const [errors, setErrors] = useState<ShipErrors>({});

  const change = (changes: Partial<CheckoutFields>) =>
    setFields((before) => ({ ...before, ...changes }));

  const changeAddress = (changes: Partial<ShipFields>) => {
    setFields((before) => ({ ...before, address: { ...before.address, ...changes } }));
    setErrors((before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => !(name in changes))),
    );
  };

  /** PayPal asks about its fee first; a wire says that it needs the declaration. */
  const chooseMethod = async (method: PaymentMethod) => {
    const before = fields.method;
    change({ method });
    if (method === "PAYPAL") {
      if (!(await confirm(pageTexts.paypalSurcharge))) change({ method: before });
    } else if (fields.declaration === "NO") {
      await alert(pageTexts.declarationForWire);
    }
  };

  /** Says what is wrong at the fields; the first of them has the focus. */
  const showErrors = (found: ShipErrors) => {
    setErrors(found);
    const first = Object.keys(found)[0];
    form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };

  return {
    fields,
    errors,
    change,
    changeAddress,
    chooseMethod: (method: PaymentMethod) => void chooseMethod(method),
    showErrors,
  };
}
