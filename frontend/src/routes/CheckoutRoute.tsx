import { useLocation, useParams, useSearchParams } from "react-router";
import { DepositCheckoutScreen } from "@/features/checkout/DepositCheckoutScreen";
import {
  PaymentFailureScreen,
  PaymentSuccessScreen,
} from "@/features/payment-return/PaymentReturn";
import NotFound from "@/shared/ui/NotFound";

/** The checkout and the pages where PayPal sends the buyer back: one chunk, as most have left from there. */
export default function CheckoutRoute() {
  const { pathname } = useLocation();
  const { invoice_code = "", is_deposit } = useParams();
  const [query] = useSearchParams();
  if (is_deposit === undefined) {
    return <DepositCheckoutScreen key={invoice_code} invoiceCode={invoice_code} />;
  }
  if (!/^[01]$/.test(is_deposit)) return <NotFound />;
  const back = { invoiceCode: invoice_code, isDeposit: is_deposit === "1", query };
  if (/^\/checkout\/failure\//i.test(pathname)) return <PaymentFailureScreen back={back} />;
  return <PaymentSuccessScreen back={back} />;
}
