import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { useNavigate } from "react-router";
import { isSessionEnd } from "@/api/errors";
import { cancellation, type PaymentReturn, pageAfterFailure } from "./queries";

/** /checkout/failure/{invoice_code}/{is_deposit}: shows nothing, notes the cancellation and leaves, whatever the answer. */
export function PaymentFailureScreen({ back }: { back: PaymentReturn }) {
  const navigate = useNavigate();
  const { isFetched, error, isEnabled } = useQuery(cancellation(back));
  const done = !isEnabled || (isFetched && !isSessionEnd(error));
  const page = pageAfterFailure(back);
  useEffect(() => {
    if (done) void navigate(page, { replace: true });
  }, [done, page, navigate]);
  return null;
}
