import { type RefObject, useState } from "react";
import { flushSync } from "react-dom";
import { useUser } from "@/api/session";
import { methodOf, type PaymentMethod } from "@/domain/paypal";
import { missingShipFields, type ShipFields, shipOf } from "@/domain/shipping";
import { limits } from "@/shared/limits";
import { pageTexts } from "@/shared/page-texts";
import { agreeToSurcharge } from "@/shared/surcharge";
import { alert } from "@/shared/ui/alerts";
import { useDraft } from "@/shared/use-draft";
import type { CheckoutFields, FieldErrors } from "./fields";
import type { TemporaryOrder } from "./queries";

/** What the buyer fills in, kept as a draft, and what is wrong with it. `form` holds the address fields. */
export function useCheckoutFields(order: TemporaryOrder, form: RefObject<HTMLElement | null>) {
  const { uuid, company } = useUser();
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
  const [isEdited, setEdited] = useState(missingShipFields(order).length > 0);
  // Shown as chosen while its question is open; a draft holds what was agreed to.
  const [asked, setAsked] = useState<PaymentMethod>();
  const fields = { ...draft.value, method: methodOf(order, asked ?? draft.value.method) };

  const change = (changes: Partial<CheckoutFields>) =>
    draft.update((before) => ({ ...before, ...changes }));

  const forgetErrors = (names: readonly string[]) =>
    setErrors((before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => !names.includes(name))),
    );

  const changeAddress = (changes: Partial<ShipFields>) => {
    draft.update((before) => ({ ...before, address: { ...before.address, ...changes } }));
    forgetErrors(Object.keys(changes));
  };

  /** PayPal asks about its fee first; a wire says that it needs the declaration. */
  const chooseMethod = async (method: PaymentMethod) => {
    if (method === "PAYPAL") {
      setAsked(method);
      const yes = await agreeToSurcharge();
      setAsked(undefined);
      if (yes) change({ method });
      return;
    }
    change({ method });
    if (fields.declaration === "NO") await alert(pageTexts.declarationForWire);
  };

  /** Says what is wrong at the fields; the first of them has the focus. */
  const showErrors = (found: FieldErrors) => {
    flushSync(() => {
      setErrors(found);
      if (Object.keys(found).some((name) => name.startsWith("ship_"))) setEdited(true);
    });
    const first = Object.keys(found)[0];
    form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };

  return {
    fields,
    errors,
    draft,
    change,
    changeAddress,
    /** The address is a text until the buyer changes it, or must. */
    isAddressEdited: isEdited,
    editAddress: () => {
      flushSync(() => setEdited(true));
      form.current?.querySelector<HTMLElement>("[name=ship_country]")?.focus();
    },
    forgetError: (name: keyof FieldErrors) => forgetErrors([name]),
    chooseMethod: (method: PaymentMethod) => void chooseMethod(method),
    showErrors,
  };
}
