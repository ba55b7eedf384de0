import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useRef } from "react";
import { ApiError } from "@/api/errors";
import { useUser } from "@/api/session";
import { useShownAgain } from "@/shared/navigation";
import { orderTexts } from "@/shared/order-texts";
import { pageTexts } from "@/shared/page-texts";
import { temporaryOrderKeys } from "@/shared/query-keys";
import { alert } from "@/shared/ui/alerts";
import type { Quote } from "./queries";
import { checkoutProblem, fieldErrors, isEmpty, missingErrors, refusalText } from "./rules";
import { useCancel } from "./use-cancel";
import { useCheckoutFields } from "./use-checkout-fields";
import { useDeposit } from "./use-deposit";
import { useBackToBasket, useWayOut } from "./use-way-out";

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
      if (stopped === orderTexts.someOutOfStock) return backToBasket(quote);
      if (stopped === pageTexts.depositorRequired) focusField("payer_id");
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
