import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { api, errorCode, isUncertain, unwrap } from "@/api/client";
import { useUser } from "@/api/session";
import { basket } from "@/domain/basket";
import { counted } from "@/domain/figures";
import { orderPath } from "@/domain/orders";
import { toPay } from "@/domain/payment";
import { drafts, LEFT_CHECKOUT } from "@/shared/drafts";
import { useRepeatKey } from "@/shared/idempotency";
import { leaveFor } from "@/shared/navigation";
import { productKeys } from "@/shared/query-keys";
import * as texts from "@/shared/texts";
import { alert, confirm } from "@/shared/ui/alerts";
import { toast } from "@/shared/ui/toasts";
import { type Quote, refreshOrders, type TemporaryOrder } from "./queries";
import type { CheckoutFields } from "./rules";

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

/**
 * Leads back to the basket with the list's lines: first the short ones, with what is left of them. What was filled in
 * comes along into the next request.
 */
export function useBackToBasket() {
  const { uuid } = useUser();
  const navigate = useNavigate();
  const client = useQueryClient();
  return (quote: Quote) => {
    void drafts.move(uuid, `checkout:${quote.temp_order.invoice_code}`, LEFT_CHECKOUT);
    const before = basket.lines().length;
    const undo = basket.undoable(() => basket.putBack(quote.temp_order_details));
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
  const { mutateAsync, isPending } = useMutation({
    meta: { onFailure: "alert", except: ["order_exists", "not_found"] },
    mutationFn: async () => {
      const params = { path: { invoice_code: quote.temp_order.invoice_code } };
      return unwrap(await api.DELETE("/temp-order/{invoice_code}", { params }));
    },
  });

  const cancel = async () => {
    if (!(await confirm(texts.cancelCheckout, { destroys: true }))) return;
    try {
      await mutateAsync();
    } catch (error) {
      if (errorCode(error) === "order_exists") return wayOut.leaveToOrders();
      // A list that is gone already is as good as deleted.
      if (errorCode(error) !== "not_found") return;
    }
    wayOut.finish();
    wayOut.leaveTo("/order");
    toast("Request cancelled. Its products are kept in your baskets.", () =>
      basket.putBack(quote.temp_order_details),
    );
  };

  return { cancelling: isPending, cancel: () => void cancel() };
}

/** Refusals that the screen answers itself. */
const TREATED = ["order_exists", "out_of_stock", "invalid", "expired", "payment_pending"];

/** Pays the deposit in the way that the buyer chose, then leaves for where that leads. */
export function useDeposit(order: TemporaryOrder, wayOut: WayOut) {
  const { uuid, email } = useUser();
  const { invoice_code } = order;
  const key = useRepeatKey();
  const client = useQueryClient();
  const isAnswerLost = useRef(false);

  /** Answers how to leave. */
  const { mutateAsync, isPending } = useMutation({
    meta: { onFailure: "alert", except: TREATED },
    mutationFn: async ({ method, depositor, ...fields }: CheckoutFields) => {
      // After a lost answer a wire's repeat must reach the server: its key gets the first answer.
      const isRepeat = method === "T/T" && isAnswerLost.current;
      const exists =
        !isRepeat && unwrap(await api.POST("/order/check", { body: { invoice_code } }));
      if (exists && exists.success === 1) return wayOut.leaveToOrders;
      const form = {
        ...{ uuid, email, invoice_code, type: "ORDER" as const },
        ...fields.address,
        export_report: fields.declaration === "YES" ? (1 as const) : (0 as const),
        ship_memo: fields.memo,
        po_number: fields.poNumber,
        amount: toPay(method, order, order.deposit),
      };
      const query = { send: 0 };
      if (method === "PAYPAL") {
        const body = { ...form, payment_type: "PAYPAL" as const };
        const call = await api.POST("/order/checkout-deposit/paypal", { params: { query }, body });
        const { link } = unwrap(call);
        return () => wayOut.leaveToPaypal(link);
      }
      const body = { ...form, payment_type: "T/T" as const, payer_id: depositor.trim() };
      const params = { query, header: { "Idempotency-Key": key.of(body) } };
      const announced = unwrap(await api.POST("/order/checkout-deposit/tt", { params, body }));
      refreshOrders(client);
      return () => {
        wayOut.finish();
        wayOut.leaveTo(orderPath(announced.invoice_code, 1));
      };
    },
    onError: (error, { method }) => {
      if (method === "T/T") isAnswerLost.current = isUncertain(error);
    },
  });

  return {
    paying: isPending,
    pay: async (fields: CheckoutFields): Promise<void> => (await mutateAsync(fields))(),
  };
}
