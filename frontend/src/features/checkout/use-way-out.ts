import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { errorCode } from "@/api/client";
import { basket } from "@/domain/basket";
import { counted } from "@/domain/figures";
import { orderPath } from "@/domain/orders";
import { toPay } from "@/domain/payment";
import { leaveFor } from "@/shared/navigation";
import { productKeys } from "@/shared/query-keys";
import * as texts from "@/shared/texts";
import { alert, confirm } from "@/shared/ui/alerts";
import { toast } from "@/shared/ui/toasts";
import type { Quote, TemporaryOrder } from "./queries";
import {
  type CheckoutForm,
  useCancelCheckout,
  usePaypalCheckout,
  useWireCheckout,
} from "./queries";
import type { CheckoutFields } from "./rules";
import { basketLines } from "./rules";

/** The ways out of the checkout; `leaving` keeps its buttons busy until the screen is gone. */
export function useWayOut(forget: () => void) {
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState(false);

  const leaveTo = (path: string) => {
    setLeaving(true);
    void navigate(path, { replace: true });
  };

  /** The list is an order, or deleted: basket and draft go. */
  const finish = () => {
    basket.ordered();
    forget();
  };

  return {
    leaving,
    leaveTo,
    finish,
    leaveToOrders: async () => {
      await alert(texts.orderExists);
      finish();
      leaveTo("/invoice/0");
    },
    leaveToPaypal: (link: string) => {
      setLeaving(true);
      leaveFor(link);
    },
    /** The buyer is back, for instance from PayPal. */
    stay: () => setLeaving(false),
  };
}

/** Leads back to the basket with the list's lines: first the short ones, with what is left of them. */
export function useBackToBasket() {
  const navigate = useNavigate();
  const client = useQueryClient();
  return (quote: Quote) => {
    const before = basket.lines().length;
    const undo = basket.undoable(() => basket.putBack(basketLines(quote)));
    const added = basket.lines().length - before;
    if (added > 0) toast(`${counted(added, "product")} put back into the basket.`, undo);
    // What the basket knew of the stock is not so any more.
    void client.resetQueries({ queryKey: productKeys.cart });
    void navigate("/order", { replace: true, state: { panel: "basket" } });
  };
}

type WayOut = ReturnType<typeof useWayOut>;

/** Cancels the checkout after a question: the temporary order and the basket go, and can be had back. */
export function useCancel(quote: Quote, wayOut: WayOut) {
  const invoiceCode = quote.temp_order.invoice_code;
  const { mutateAsync, isPending } = useCancelCheckout();

  const cancel = async () => {
    if (!(await confirm(texts.cancelCheckout, { destroys: true }))) return;
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

/** Pays the deposit in the way that the buyer chose, then leaves for where that leads. */
export function useDeposit(order: TemporaryOrder, wayOut: WayOut) {
  const wire = useWireCheckout();
  const paypal = usePaypalCheckout();

  const payByPaypal = async (form: CheckoutForm) => {
    const link = await paypal.mutateAsync(form);
    if (!link) return wayOut.leaveToOrders();
    wayOut.leaveToPaypal(link);
  };

  const payByWire = async (form: CheckoutForm, depositor: string) => {
    const announced = await wire.mutateAsync({ ...form, depositor });
    if (!announced) return wayOut.leaveToOrders();
    wayOut.finish();
    wayOut.leaveTo(orderPath(announced, 1));
  };

  return {
    paying: wire.isPending || paypal.isPending,
    pay: (fields: CheckoutFields): Promise<void> => {
      const form = {
        invoice_code: order.invoice_code,
        export_report: fields.declaration === "YES" ? (1 as const) : (0 as const),
        ...fields.address,
        ship_memo: fields.memo,
        po_number: fields.poNumber,
        amount: toPay(fields.method, order, order.deposit),
      };
      return fields.method === "PAYPAL"
        ? payByPaypal(form)
        : payByWire(form, fields.depositor.trim());
    },
  };
}
