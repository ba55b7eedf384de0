import { CircleAlert } from "lucide-react";
import { useLocation } from "react-router";
import { orderPath } from "@/domain/orders";
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
      <p
        className="flex gap-8 rounded-2 text-ink items-start py-10 px-14 bg-bad-bg text-14
          [&>svg]:flex-none [&>svg]:mt-3 [&>svg]:text-bad"
        role="status"
      >
        <CircleAlert />
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
