import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { isSessionEnd } from "@/api/errors";
import { useOnChange } from "@/shared/effects";
import type { Declined } from "@/shared/ui/DeclinedLine";
import { cancellation, type PaymentReturn, pageAfterFailure } from "./queries";

/** /checkout/failure/{invoice_code}/{is_deposit}: shows nothing, notes the cancellation and leaves, whatever the answer. */
export function PaymentFailureScreen({ back }: { back: PaymentReturn }) {
  const navigate = useNavigate();
  const { isFetched, error, isEnabled } = useQuery(cancellation(back));
  const done = !isEnabled || (isFetched && !isSessionEnd(error));
  useOnChange(done ? pageAfterFailure(back) : undefined, (page) => {
    const { invoiceCode } = back;
    const declined = "You left without paying, and nothing was charged.";
    void navigate(page, { replace: true, state: { declined, invoiceCode } satisfies Declined });
  });
  return null;
}
