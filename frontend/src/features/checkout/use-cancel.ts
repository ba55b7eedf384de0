import { errorCode } from "@/api/errors";
import { basket } from "@/domain/basket";
import { pageTexts } from "@/shared/page-texts";
import { confirm } from "@/shared/ui/alerts";
import { toast } from "@/shared/ui/toasts";
import { useCancelCheckout } from "./mutations";
import type { Quote } from "./queries";
import { basketLines } from "./rules";
import type { WayOut } from "./use-way-out";

/** Cancels the checkout after a question: the temporary order and the basket go, and can be had back. */
export function useCancel(quote: Quote, wayOut: WayOut) {
  const invoiceCode = quote.temp_order.invoice_code;
  const { mutateAsync, isPending } = useCancelCheckout();

  const cancel = async () => {
    if (!(await confirm(pageTexts.cancelCheckout, { destroys: true }))) return;
    try {
      await mutateAsync(invoiceCode);
    } catch (error) {
      if (errorCode(error) === "order_exists") return wayOut.leaveToOrders();
      // A list that is gone already is as good as deleted.
      if (errorCode(error) !== "not_found") return;
    }
    wayOut.finish();
    wayOut.leaveTo("/order");
    toast("Request cancelled. Its products are kept in your baskets.", () =>
      basket.putBack(basketLines(quote)),
    );
  };

  return { cancelling: isPending, cancel: () => void cancel() };
}
