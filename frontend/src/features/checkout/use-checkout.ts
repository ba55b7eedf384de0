import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useRef, useState } from "react";
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
import { checkoutProblem, fieldErrors, isEmpty, missingErrors, refusalText } from "./rules";
import { useBackToBasket, useCancel, useDeposit, useWayOut } from "./use-way-out";

/** The deposit checkout's fields and what its buttons do. `form` holds the address fields. */
export function useCheckout(quote: Quote, form: RefObject<HTMLElement | null>) {
  const { temp_order, temp_order_details } = quote;
  const code = temp_order.invoice_code;
  const { stock_free } = useUser();
  const client = useQueryClient();
  const { showErrors, draft, ...filledIn } = useCheckoutFields(temp_order, form);
  const { fields } = filledIn;
  const wayOut = useWayOut(draft.forget);
  const deposit = useDeposit(temp_order, wayOut);
  const backToBasket = useBackToBasket();
  const working = useRef(false);

  /** The stock, the quote or the payment has changed. */
  const reload = () => client.invalidateQueries({ queryKey: temporaryOrderKeys.info(code) });

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
        if (!isEmpty(fieldErrors(error))) return showErrors(fieldErrors(error));
        await alert(refusalText(error));
        return reload();
    }
  };

  const focusField = (name: string) =>
    form.current?.querySelector<HTMLElement>(`[name="${name}"]`)?.focus();

  const send = async (): Promise<void> => {
    const stopped = checkoutProblem(fields, temp_order_details, {
      stockFree: stock_free === 1,
      deposit: temp_order.deposit,
    });
    if (stopped) {
      await alert(stopped);
      if (stopped === texts.someOutOfStock) return backToBasket(quote);
      if (stopped === texts.depositorRequired) focusField("payer_id");
      return;
    }
    const missing = missingErrors(fields.address);
    if (!isEmpty(missing)) return showErrors(missing);
    await deposit.pay(fields);
  };

  const submit = async () => {
    if (working.current) return;
    working.current = true;
    try {
      await send();
    } catch (error) {
      if (error instanceof ApiError) await refused(error);
    } finally {
      working.current = false;
    }
  };

  return {
    ...filledIn,
    draft,
    busy: deposit.paying || wayOut.leaving,
    submit: () => void submit(),
    ...useCancel(quote, wayOut),
  };
}

export type Checkout = ReturnType<typeof useCheckout>;

/** What the buyer fills in, kept as a draft, and what is wrong with it. `form` holds the address fields. */
function useCheckoutFields(order: TemporaryOrder, form: RefObject<HTMLElement | null>) {
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
  const { method, chooseMethod } = usePaymentMethod(order, draft.value.method, (next) => {
    draft.change({ method: next });
    // A wire says that it needs the declaration.
    if (next === "T/T" && fields.declaration === "NO") void alert(texts.declarationForWire);
  });
  const fields = { ...draft.value, method };

  const forgetErrors = (names: readonly string[]) =>
    setErrors((before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => !names.includes(name))),
    );

  const changeAddress = (changes: Partial<ShipFields>) => {
    draft.update((before) => ({ ...before, address: { ...before.address, ...changes } }));
    forgetErrors(Object.keys(changes));
  };

  /** Says what is wrong at the fields; the first of them has the focus. */
  const showErrors = (faults: FieldErrors) => {
    flushSync(() => {
      setErrors(faults);
      if (Object.keys(faults).some((name) => name.startsWith("ship_"))) setEdited(true);
    });
    const first = Object.keys(faults)[0];
    form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };

  return {
    fields,
    errors,
    draft,
    change: draft.change,
    changeAddress,
    /** The address is a text until the buyer changes it, or must. */
    isAddressEdited: isEdited,
    editAddress: () => {
      flushSync(() => setEdited(true));
      form.current?.querySelector<HTMLElement>("[name=ship_country]")?.focus();
    },
    forgetError: (name: keyof FieldErrors) => forgetErrors([name]),
    chooseMethod,
    showErrors,
  };
}
