import { useParams } from "react-router";
import CheckoutDepositRoute from "./CheckoutDepositRoute";
import PaymentReturnRoute from "./PaymentReturnRoute";

/** The deposit checkout and the returns from PayPal: one chunk, since most who come back have left from there. */
export default function CheckoutRoute() {
  const { is_deposit } = useParams();
  return is_deposit === undefined ? <CheckoutDepositRoute /> : <PaymentReturnRoute />;
}
