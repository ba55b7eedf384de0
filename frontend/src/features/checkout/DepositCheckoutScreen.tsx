import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useNavigate } from "react-router";
import { ApiError, errorCode } from "@/api/errors";
import { useUser } from "@/api/session";
import { basket } from "@/domain/basket";
import { pageTexts } from "@/shared/page-texts";
import { alert } from "@/shared/ui/alerts";
import { Card } from "@/shared/ui/Card";
import { PageHeading } from "@/shared/ui/PageHeading";
import { RetryPanel } from "@/shared/ui/Panels";
import { PaymentWaiting } from "@/shared/ui/PaymentWaiting";
import { CheckoutForm } from "./CheckoutForm";
import { CheckoutSkeleton } from "./CheckoutSkeleton";
import styles from "./DepositCheckoutScreen.module.css";
import { refreshOrders } from "./mutations";
import { type Quote, temporaryOrder } from "./queries";
import { isListShort } from "./use-checkout";

/** /order/checkout-deposit/{invoice_code}: a temporary order becomes an order by its deposit. */
export function DepositCheckoutScreen({ invoiceCode }: { invoiceCode: string }) {
  const { data, error, isFetching, refetch } = useQuery(temporaryOrder(invoiceCode));
  const waits = data?.temp_order.payment_pending ?? false;
  // The buyer is sent elsewhere: there is nothing to try again.
  const leaves = ["order_exists", "expired"].includes(errorCode(error) ?? "");
  useTurnedAway(invoiceCode, data, error);
  return (
    <div className={styles.page}>
      <PageHeading title="Product order" subline={invoiceCode} />
      {data && !waits && <CheckoutForm quote={data} />}
      {waits && (!error || leaves) && (
        <PaymentWaiting orderPage="/invoice/0">
          <p>{pageTexts.paymentInProgress}</p>
        </PaymentWaiting>
      )}
      {!data && (!error || leaves) && <CheckoutSkeleton />}
      {error && !leaves && (waits || !data) && (
        <Card>
          <RetryPanel busy={isFetching} onRetry={() => void refetch()} />
        </Card>
      )}
    </div>
  );
}

/** Sends the buyer elsewhere, after saying why, if the list cannot be checked out as it loads. */
function useTurnedAway(invoiceCode: string, quote: Quote | undefined, error: Error | null) {
  const navigate = useNavigate();
  const client = useQueryClient();
  const { stock_free } = useUser();
  const waits = quote?.temp_order.payment_pending ?? false;
  const loaded = useRef(false);

  useEffect(() => {
    if (!quote || waits || loaded.current) return;
    loaded.current = true;
    if (!isListShort(quote.temp_order_details, stock_free === 1)) return;
    void alert(pageTexts.fillOutAgain).then(() => navigate("/order", { replace: true }));
  }, [quote, waits, stock_free, navigate]);

  const answered = useRef<Error>(undefined);
  useEffect(() => {
    if (!(error instanceof ApiError) || answered.current === error) return;
    answered.current = error;
    const leaveTo = (path: string) => navigate(path, { replace: true });
    if (error.code === "order_exists" && waits) {
      // The payment that was waited for has made the order.
      basket.clear();
      refreshOrders(client);
      void leaveTo(`/invoice/1?invoice_code=${encodeURIComponent(invoiceCode)}`);
    } else if (error.code === "order_exists") {
      void alert(pageTexts.orderExists).then(() => leaveTo("/invoice/0"));
    } else if (error.code === "expired") {
      void alert(error.message).then(() => leaveTo("/order"));
    }
  }, [error, waits, invoiceCode, navigate, client]);
}
