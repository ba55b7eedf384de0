import { useMutation, useQueryClient } from "@tanstack/react-query";
import { useRef, useState } from "react";
import { useNavigate } from "react-router";
import { ApiError, api, errorCode, isUncertain, unwrap } from "@/api/client";
import { useUser } from "@/api/session";
import { basket } from "@/domain/basket";
import { counted } from "@/domain/figures";
import { orderPath } from "@/domain/orders";
import { toPay } from "@/domain/payment";
import { drafts, LEFT_CHECKOUT } from "@/shared/drafts";
import { useRepeatKey } from "@/shared/idempotency";
import { leaveFor, useShownAgain } from "@/shared/navigation";
import { productKeys, temporaryOrderKeys } from "@/shared/query-keys";
import * as texts from "@/shared/texts";
import { alert, confirm } from "@/shared/ui/alerts";
import { toast } from "@/shared/ui/toasts";
import { type Quote, refreshOrders, type TemporaryOrder } from "./queries";
import type { CheckoutFields } from "./rules";
import { checkoutProblem, fieldErrors, missingErrors, refusalText } from "./rules";
import { useCheckoutFields } from "./use-checkout-fields";

export type Checkout = ReturnType<typeof useCheckout>;

/** The deposit checkout's fields, what its buttons do, and where they lead. */
export function useCheckout(quote: Quote) {
  const { temp_order, temp_order_details } = quote;
  const { invoice_code, deposit } = temp_order;
  const { stock_free } = useUser();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { showErrors, focus, ...filledIn } = useCheckoutFields(temp_order);
  const { fields, draft } = filledIn;
  const payment = usePayment(temp_order);
  const deletion = useMutation({
    meta: { onFailure: "alert", except: ["order_exists", "not_found"] },
    mutationFn: async () => {
      const params = { path: { invoice_code } };
      return unwrap(await api.DELETE("/temp-order/{invoice_code}", { params }));
    },
  });
  const backToBasket = useBackToBasket();
  // Keeps the buttons busy until the screen is gone.
  const [isLeaving, setLeaving] = useState(false);

  const leaveTo = (path: string) => {
    setLeaving(true);
    void navigate(path, { replace: true });
  };
  /** The list is an order, or deleted: basket and draft go. */
  const finish = (path: string) => {
    basket.ordered();
    draft.forget();
    leaveTo(path);
  };
  const leave = ({ link, order }: { link: string; order: string }) => {
    if (order) return finish(orderPath(order, 1));
    setLeaving(true);
    leaveFor(link);
  };
  const leaveToOrders = () => alert(texts.orderExists).then(() => finish("/invoice/0"));
  /** The stock, the quote or the payment has changed. */
  const reload = () =>
    client.invalidateQueries({ queryKey: temporaryOrderKeys.info(invoice_code) });

  useShownAgain(() => {
    setLeaving(false);
    void reload();
  });

  const refused = async (error: ApiError): Promise<void> => {
    switch (error.code) {
      case "order_exists":
        return leaveToOrders();
      case "expired":
        await alert(error.message);
        return leaveTo("/order");
      case "payment_pending": // the list that is loaded now says so in the place of the form
      case "wire_only":
        return reload();
      case "out_of_stock":
        await alert(error.message);
        return backToBasket(quote);
      case "invalid":
        if (showErrors(fieldErrors(error))) return;
        await alert(refusalText(error));
        return reload();
    }
  };

  const send = async () => {
    const rules = { stockFree: stock_free === 1, deposit };
    const stopped = checkoutProblem(fields, temp_order_details, rules);
    if (stopped) {
      await alert(stopped);
      if (stopped === texts.someOutOfStock) return backToBasket(quote);
      if (stopped === texts.depositorRequired) focus("depositor");
      return;
    }
    if (showErrors(missingErrors(fields.address))) return;
    leave(await payment.mutateAsync(fields));
  };
  const submit = async () => {
    try {
      await send();
    } catch (error) {
      if (error instanceof ApiError) await refused(error);
    }
  };

  /** The temporary order and the basket go, and can be had back. */
  const cancel = async () => {
    if (!(await confirm(texts.cancelCheckout, { destroys: true }))) return;
    try {
      await deletion.mutateAsync();
    } catch (error) {
      if (errorCode(error) === "order_exists") return leaveToOrders();
      // A list that is gone already is as good as deleted.
      if (errorCode(error) !== "not_found") return;
    }
    finish("/order");
    toast("Request cancelled. Its products are kept in your baskets.", () =>
      basket.putBack(temp_order_details),
    );
  };

  return {
    ...filledIn,
    quote,
    busy: payment.isPending || isLeaving,
    cancelling: deletion.isPending,
    submit,
    cancel: () => void cancel(),
  };
}

/** Refusals that the screen answers itself. */
const TREATED = ["order_exists", "out_of_stock", "invalid", "expired", "payment_pending"];

/** Pays the deposit in the way that the buyer chose: answers PayPal's link, or the order that a wire made. */
function usePayment(order: TemporaryOrder) {
  const { uuid, email } = useUser();
  const { invoice_code } = order;
  const key = useRepeatKey();
  const client = useQueryClient();
  const isAnswerLost = useRef(false);
  return useMutation({
    meta: { onFailure: "alert", except: TREATED },
    mutationFn: async ({ method, depositor, ...fields }: CheckoutFields) => {
      // After a lost answer a wire's repeat must reach the server: its key gets the first answer.
      if (method !== "T/T" || !isAnswerLost.current) {
        const { success } = unwrap(await api.POST("/order/check", { body: { invoice_code } }));
        if (success === 1) throw new ApiError(409, { code: "order_exists" });
      }
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
        return { link: unwrap(call).link, order: "" };
      }
      const body = { ...form, payment_type: "T/T" as const, payer_id: depositor.trim() };
      const params = { query, header: { "Idempotency-Key": key.of(body) } };
      const announced = unwrap(await api.POST("/order/checkout-deposit/tt", { params, body }));
      refreshOrders(client);
      return { link: "", order: announced.invoice_code };
    },
    onError: (error, { method }) => {
      if (method === "T/T") isAnswerLost.current = isUncertain(error);
    },
  });
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
