import { useParams } from "react-router";
import { DepositCheckoutScreen } from "@/features/checkout/DepositCheckoutScreen";

/** /order/checkout-deposit/{invoice_code} */
export default function CheckoutDepositRoute() {
  const { invoice_code = "" } = useParams();
  return <DepositCheckoutScreen key={invoice_code} invoiceCode={invoice_code} />;
}
