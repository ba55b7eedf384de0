import { errorCode } from "@/api/errors";
import { pageTexts } from "@/shared/page-texts";
import { confirm } from "@/shared/ui/alerts";
import { useCancelCheckout } from "./mutations";
import type { WayOut } from "./use-way-out";

/** Cancels the checkout after a question: the temporary order and the basket go. */
export function useCancel(invoiceCode: string, wayOut: WayOut) {
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
  };

  return { cancelling: isPending, cancel: () => void cancel() };
}
