import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { useNavigate } from "react-router";
import { errorCode } from "@/api/client";
import { useUser } from "@/api/session";
import { basket } from "@/domain/basket";
import { orderPath } from "@/domain/orders";
import { useOnChange } from "@/shared/effects";
import * as texts from "@/shared/texts";
import { alert } from "@/shared/ui/alerts";
import { DeclinedLine } from "@/shared/ui/DeclinedLine";
import { PageHeading } from "@/shared/ui/Page";
import { Card, QueryFailed } from "@/shared/ui/Panels";
import { PaymentWaiting } from "@/shared/ui/PaymentWaiting";
import { CheckoutForm, CheckoutSkeleton } from "./CheckoutForm";
import { type Quote, refreshOrders, temporaryOrder } from "./queries";
import { isLineShort } from "./rules";
import { useBackToBasket } from "./use-checkout";

/** There is no such list any more, or never was. */
const TURNED_BACK = ["expired", "not_found"];
const SENT_ELSEWHERE = ["order_exists", ...TURNED_BACK];

/** /order/checkout-deposit/{invoice_code}: a temporary order becomes an order by its deposit. */
export function DepositCheckoutScreen({ invoiceCode }: { invoiceCode: string }) {
  const query = useQuery(temporaryOrder(invoiceCode));
  const { data, error } = query;
  const waits = data?.temp_order.payment_pending ?? false;
  // A buyer who is sent elsewhere has nothing to try again.
  const failed = error !== null && !SENT_ELSEWHERE.includes(errorCode(error) ?? "");
  useTurnedAway(invoiceCode, data, error);
  return (
    <div className="grid gap-16">
      <PageHeading title="Product order" subline={invoiceCode} />
      <DeclinedLine />
      {waits ? (
        <PaymentWaiting orderPage="/invoice/0">
          <p>{texts.paymentInProgress}</p>
        </PaymentWaiting>
      ) : data ? (
        <CheckoutForm quote={data} />
      ) : failed ? (
        <Card>
          <QueryFailed query={query} />
        </Card>
      ) : (
        <CheckoutSkeleton />
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
  const backToBasket = useBackToBasket();
  const judged = useRef(false);
  const leaveTo = (path: string) => void navigate(path, { replace: true });

  useOnChange(waits ? undefined : quote, (loaded) => {
    if (judged.current) return;
    judged.current = true;
    if (!loaded.temp_order_details.some((line) => isLineShort(line, stock_free === 1))) return;
    void alert(texts.fillOutAgain).then(() => backToBasket(loaded));
  });

  useOnChange(error ?? undefined, (refusal) => {
    const code = errorCode(refusal);
    if (code === "order_exists" && waits) {
      // The payment that was waited for has made the order.
      basket.ordered();
      refreshOrders(client);
      leaveTo(orderPath(invoiceCode, 1));
    } else if (code === "order_exists") {
      void alert(texts.orderExists).then(() => leaveTo("/invoice/0"));
    } else if (code && TURNED_BACK.includes(code)) {
      void alert(textOf(refusal)).then(() => leaveTo("/order"));
    }
  });
}

/** The server's sentence has a text of the specification only where the list is too old. */
function textOf(refusal: Error): string {
  return errorCode(refusal) === "expired" ? refusal.message : texts.somethingWentWrong;
}
