import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { useNavigate } from "react-router";
import type { Schemas } from "@/api/client";
import { ApiError, api, errorCode, isPassing, isSessionEnd, unwrap } from "@/api/client";
import { useUser } from "@/api/session";
import { basket } from "@/domain/basket";
import { orderPath } from "@/domain/orders";
import { drafts } from "@/shared/drafts";
import { useOnChange, useTimeout } from "@/shared/effects";
import { paymentKeys } from "@/shared/query-keys";
import * as texts from "@/shared/texts";
import { alert } from "@/shared/ui/alerts";
import type { Declined } from "@/shared/ui/DeclinedLine";
import { PageTitle } from "@/shared/ui/Page";
import { PaymentWaiting } from "@/shared/ui/PaymentWaiting";
import { toast } from "@/shared/ui/toasts";

const GIVE_UP_AFTER_MS = 60_000;
const LONGEST_PAUSE = 8;

/** What the browser brought back from PayPal: the address's own parts, sent on as they are. */
export interface PaymentReturn {
  invoiceCode: string;
  isDeposit: boolean;
  /** The address's query: amount, paymentId (the newer API gives none), token, PayerID; or token alone. */
  query: URLSearchParams;
}

/**
 * /checkout/success/{invoice_code}/{is_deposit}: waits until the payment is confirmed and leaves for where the answer leads: at
 * once, after OK, or when it takes too long.
 */
export function PaymentSuccessScreen({ back }: { back: PaymentReturn }) {
  const { invoiceCode, isDeposit, query } = back;
  const navigate = useNavigate();
  const { uuid } = useUser();
  const answered = useRef(false);
  // Once for each return, and again after growing pauses while the payment is being confirmed.
  const { data, error } = useQuery({
    queryKey: paymentKeys.back("success", invoiceCode, query.get("token") ?? ""),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: () => confirm(back),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.success === 0 ? Math.min(dataUpdateCount, LONGEST_PAUSE) * 1000 : false,
    refetchIntervalInBackground: true,
  });

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

  return (
    <PaymentWaiting orderPage={isDeposit ? "/invoice/0" : orderPath(invoiceCode)}>
      <PageTitle text={texts.paymentInProgress} />
    </PaymentWaiting>
  );
}

/** What the page says in place where PayPal declined; the alert before it is the specification's. */
function declinedIn(refusal: Error, invoiceCode: string): Declined | undefined {
  const declined = refusal instanceof ApiError && refusal.errors.payment_type?.[0];
  return declined ? { declined, invoiceCode } : undefined;
}

async function confirm(back: PaymentReturn): Promise<Schemas["PayPalConfirmation"]> {
  const param = (name: string) => back.query.get(name) ?? "";
  const body = {
    invoice_code: back.invoiceCode,
    payment_type: "PAYPAL",
    payment_id: param("paymentId"),
    token: param("token"),
    payer_id: param("PayerID"),
    amount: param("amount"),
  };
  try {
    return unwrap(await api.POST(`/${callsOf(back)}/paypal/success`, { body }));
  } catch (error) {
    // Without an answer the payment may be on its way; "not now" and too many questions are no refusal.
    const code = errorCode(error);
    if (code === undefined || code === "throttled" || isPassing(error)) return { success: 0 };
    throw error;
  }
}

/**
 * /checkout/failure/{invoice_code}/{is_deposit}: shows nothing, notes the cancellation and leaves, whatever the answer. A
 * refusal is told by the alert: nothing is known then of the order.
 */
export function PaymentFailureScreen({ back }: { back: PaymentReturn }) {
  const { invoiceCode, isDeposit, query } = back;
  const navigate = useNavigate();
  const token = query.get("token") ?? "";
  const { isFetched, error } = useQuery({
    queryKey: paymentKeys.back("failure", invoiceCode, token),
    // The checkout that a deposit returns to says itself that there is no such list.
    meta: { onFailure: "alert", hasNoPanel: true, except: isDeposit ? ["not_found"] : [] },
    enabled: token !== "",
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const body = { invoice_code: invoiceCode, token };
      return unwrap(await api.POST(`/${callsOf(back)}/paypal/failure`, { body }));
    },
  });
  const isReady = !token || (isFetched && !isSessionEnd(error));
  useOnChange(isReady ? pageAfterFailure(back) : undefined, (page) => {
    const declined = "You left without paying, and nothing was charged.";
    const state = error ? undefined : ({ declined, invoiceCode } satisfies Declined);
    void navigate(page, { replace: true, state });
  });
  return null;
}

const callsOf = ({ isDeposit }: PaymentReturn) => (isDeposit ? "order/checkout-deposit" : "order");

function pageAfterFailure({ invoiceCode, isDeposit }: PaymentReturn): string {
  return isDeposit ? `/order/checkout-deposit/${encodeURIComponent(invoiceCode)}` : "/invoice/0";
}
