import { useLocation, useParams, useSearchParams } from "react-router";
import { PaymentFailureScreen } from "@/features/payment-return/PaymentFailureScreen";
import { PaymentSuccessScreen } from "@/features/payment-return/PaymentSuccessScreen";
import { NotFound } from "@/shared/ui/NotFound";

/** /checkout/success and /checkout/failure, where PayPal sends the buyer back: is_deposit is 1 or 0. */
export default function PaymentReturnRoute() {
  const { pathname } = useLocation();
  const { invoice_code = "", is_deposit = "" } = useParams();
  const [query] = useSearchParams();
  if (!/^[01]$/.test(is_deposit)) return <NotFound />;
  const back = { invoiceCode: invoice_code, isDeposit: is_deposit === "1", query };
  if (/^\/checkout\/failure\//i.test(pathname)) return <PaymentFailureScreen back={back} />;
  return <PaymentSuccessScreen back={back} />;
}
