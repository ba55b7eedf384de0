import { queryOptions } from "@tanstack/react-query";
import { api, unwrap } from "@/api/client";
import { errorCode, isPassing } from "@/api/errors";
import type { components } from "@/api/schema.gen";
import { paymentKeys } from "@/shared/query-keys";

type Confirmation = components["schemas"]["PayPalConfirmation"];

/** What the browser brought back from PayPal: the address's own parts, sent on as they are. */
export interface PaymentReturn {
  invoiceCode: string;
  isDeposit: boolean;
  /** The address's query: amount, paymentId (the newer API gives none), token, PayerID; or token alone. */
  query: URLSearchParams;
}

const LONGEST_PAUSE = 8;

/**
 * The success call, once for each return however often the page is drawn; again while the payment is
 * still being confirmed, after pauses that grow by a second. A repeat charges nothing.
 */
export const confirmation = (back: PaymentReturn) => {
  const token = back.query.get("token") ?? "";
  return queryOptions({
    queryKey: paymentKeys.back("success", back.invoiceCode, token),
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    queryFn: () => confirm(back),
    refetchInterval: ({ state: { data, dataUpdateCount } }) =>
      data?.success === 0 ? Math.min(dataUpdateCount, LONGEST_PAUSE) * 1000 : false,
    refetchIntervalInBackground: true,
  });
};

async function confirm({ invoiceCode, isDeposit, query }: PaymentReturn): Promise<Confirmation> {
  const sent = (name: string) => query.get(name) ?? "";
  const body = {
    invoice_code: invoiceCode,
    payment_type: "PAYPAL",
    payment_id: sent("paymentId"),
    token: sent("token"),
    payer_id: sent("PayerID"),
    amount: sent("amount"),
  };
  try {
    return unwrap(
      isDeposit
        ? await api.POST("/order/checkout-deposit/paypal/success", { body })
        : await api.POST("/order/paypal/success", { body }),
    );
  } catch (error) {
    // Without an answer the payment may be on its way; "not now" and too many questions are no refusal.
    const code = errorCode(error);
    if (code === undefined || code === "throttled" || isPassing(error)) return { success: 0 };
    throw error;
  }
}

/** The failure call: the buyer cancelled at PayPal. */
export const cancellation = ({ invoiceCode, isDeposit, query }: PaymentReturn) => {
  const token = query.get("token") ?? "";
  return queryOptions({
    queryKey: paymentKeys.back("failure", invoiceCode, token),
    enabled: token !== "",
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async () => {
      const body = { invoice_code: invoiceCode, token };
      return unwrap(
        isDeposit
          ? await api.POST("/order/checkout-deposit/paypal/failure", { body })
          : await api.POST("/order/paypal/failure", { body }),
      );
    },
  });
};

/** Where a payment that came to nothing leads. */
export function pageAfterFailure({ invoiceCode, isDeposit }: PaymentReturn): string {
  return isDeposit ? `/order/checkout-deposit/${encodeURIComponent(invoiceCode)}` : "/invoice/0";
}
