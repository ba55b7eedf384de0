import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useNavigate } from "react-router";
import { ApiError, errorCode, isSessionEnd } from "@/api/errors";
import { useUser } from "@/api/session";
import { basket } from "@/domain/basket";
import { orderPath } from "@/domain/orders";
import { drafts } from "@/shared/drafts";
import { useOnChange, useTimeout } from "@/shared/effects";
import * as texts from "@/shared/texts";
import { alert } from "@/shared/ui/alerts";
import type { Declined } from "@/shared/ui/DeclinedLine";
import { useDocumentTitle, useHeadingFocus } from "@/shared/ui/PageHeading";
import { PaymentWaiting } from "@/shared/ui/PaymentWaiting";
import { toast } from "@/shared/ui/toasts";
import { confirmation, type PaymentReturn, pageAfterFailure } from "./queries";

const GIVE_UP_AFTER_MS = 60_000;

/** /checkout/success/{invoice_code}/{is_deposit}: waits until the payment is confirmed, then shows the order. */
export function PaymentSuccessScreen({ back }: { back: PaymentReturn }) {
  const { invoiceCode, isDeposit } = back;
  useDocumentTitle(texts.paymentInProgress);
  const heading = useHeadingFocus();
  useConfirmation(back);
  const orderPage = isDeposit ? "/invoice/0" : orderPath(invoiceCode, 0);
  return (
    <PaymentWaiting orderPage={orderPage}>
      <h1 ref={heading} tabIndex={-1}>
        {texts.paymentInProgress}
      </h1>
    </PaymentWaiting>
  );
}

/** Confirms the payment and leaves for where the answer leads: at once, after OK, or when it takes too long. */
function useConfirmation(back: PaymentReturn) {
  const { invoiceCode, isDeposit } = back;
  const navigate = useNavigate();
  const { data, error } = useQuery(confirmation(back));
  const { uuid } = useUser();
  const answered = useRef(false);

  const leaveTo = (page: string, state?: Declined) => {
    answered.current = true;
    void navigate(page, { replace: true, state });
  };

  useOnChange(data?.success === 1 ? data.status_id : undefined, (statusId) => {
    if (isDeposit) basket.ordered();
    void drafts.forget(uuid, `${isDeposit ? "checkout" : "balance"}:${invoiceCode}`);
    leaveTo(orderPath(invoiceCode, isDeposit ? 1 : statusId));
  });

  useOnChange(error ?? undefined, async (refusal) => {
    if (answered.current || isSessionEnd(refusal)) return;
    answered.current = true;
    const code = errorCode(refusal);
    const exists = code === "order_exists";
    await alert(exists || code === "out_of_stock" ? refusal.message : texts.somethingWentWrong);
    if (exists) basket.ordered();
    leaveTo(exists ? "/invoice/0" : pageAfterFailure(back), declinedIn(refusal, invoiceCode));
  });

  useTimeout(() => {
    if (answered.current) return;
    toast(texts.stillWaiting);
    leaveTo("/invoice/0");
  }, GIVE_UP_AFTER_MS);
}

/** What the page says in place where PayPal declined; the alert before it is the specification's. */
function declinedIn(refusal: Error, invoiceCode: string): Declined | undefined {
  const declined = refusal instanceof ApiError && refusal.errors.payment_type?.[0];
  return declined ? { declined, invoiceCode } : undefined;
}
