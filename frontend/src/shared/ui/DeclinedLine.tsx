import { CircleAlert } from "lucide-react";
import { useLocation } from "react-router";
import { orderPath } from "@/domain/order-path";
import styles from "./DeclinedLine.module.css";
import { Link } from "./Link";

/** What a return from PayPal hands to the page that it leads to. */
export interface Declined {
  /** The server's sentence. */
  declined: string;
  invoiceCode: string;
}

/** Over the page to which a declined payment led: that PayPal declined it, and what can be done. Else nothing. */
export function DeclinedLine({ className }: { className?: string | undefined }) {
  const { pathname, state } = useLocation();
  const { declined, invoiceCode } = (state ?? {}) as Partial<Declined>;
  if (!declined || !invoiceCode) return null;
  return (
    <div className={className}>
      <p className={styles.line} role="status">
        <CircleAlert size={16} strokeWidth={1.8} aria-hidden />
        <span>
          {declined}{" "}
          {pathname.startsWith("/invoice") && (
            <Link to={orderPath(invoiceCode)}>{invoiceCode}</Link>
          )}
        </span>
      </p>
    </div>
  );
}
