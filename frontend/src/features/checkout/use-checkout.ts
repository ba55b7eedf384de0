import { useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { flushSync } from "react-dom";
import { ApiError } from "@/api/client";
import { useUser } from "@/api/session";
import { missingShipFields, type ShipFields, shipOf } from "@/domain/shipping";
import { useDraft } from "@/shared/drafts";
import { limits } from "@/shared/limits";
import { useShownAgain } from "@/shared/navigation";
import { temporaryOrderKeys } from "@/shared/query-keys";
import * as texts from "@/shared/texts";
import { alert } from "@/shared/ui/alerts";
import { usePaymentMethod } from "@/shared/ui/PaymentMethods";
import type { Quote, TemporaryOrder } from "./queries";
import type { CheckoutFields, FieldErrors } from "./rules";
import { checkoutProblem, fieldErrors, missingErrors, refusalText } from "./rules";
import { useBackToBasket, useCancel, useDeposit, useWayOut } from "./use-way-out";

/** The deposit checkout's fields and what its buttons do. */
export function useCheckout(quote: Quote) {
  const { temp_order, temp_order_details } = quote;
  const { stock_free } = useUser();
  const client = useQueryClient();
  const { showErrors, focus, ...filledIn } = useCheckoutFields(temp_order);
  const { fields, draft } = filledIn;
  const wayOut = useWayOut(draft.forget);
  const deposit = useDeposit(temp_order, wayOut);
  const backToBasket = useBackToBasket();

  /** The stock, the quote or the payment has changed. */
  const reload = () =>
    client.invalidateQueries({ queryKey: temporaryOrderKeys.info(temp_order.invoice_code) });

  useShownAgain(() => {
    wayOut.stay();
    void reload();
  });

  const refused = async (error: ApiError): Promise<void> => {
    switch (error.code) {
      case "order_exists":
        return wayOut.leaveToOrders();
      case "expired":
        await alert(error.message);
        return wayOut.leaveTo("/order");
      case "payment_pending": // the list that is loaded now says so in the place of the form
      case "wire_only":
        return reload();
      case "out_of_stock":
        await alert(error.message);
        return backToBasket(quote);
      case "invalid":
        if (showErrors(fieldErrors(error))) return;
        await alert(refusalText(error));
        return reload();
    }
  };

  const send = async (): Promise<void> => {
    const stopped = checkoutProblem(fields, temp_order_details, {
      stockFree: stock_free === 1,
      deposit: temp_order.deposit,
    });
    if (stopped) {
      await alert(stopped);
      if (stopped === texts.someOutOfStock) return backToBasket(quote);
      if (stopped === texts.depositorRequired) focus("depositor");
      return;
    }
    if (!showErrors(missingErrors(fields.address))) await deposit.pay(fields);
  };

  const submit = async () => {
    try {
      await send();
    } catch (error) {
      if (error instanceof ApiError) await refused(error);
    }
  };

  return {
    ...filledIn,
    quote,
    busy: deposit.paying || wayOut.leaving,
    submit,
    ...useCancel(quote, wayOut),
  };
}

export type Checkout = ReturnType<typeof useCheckout>;

/** What the buyer fills in, kept as a draft, and what is wrong with it. */
function useCheckoutFields(order: TemporaryOrder) {
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
