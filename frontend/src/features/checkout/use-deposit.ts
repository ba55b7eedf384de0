import { orderPath } from "@/domain/order-path";
import { toPay } from "@/domain/paypal";
import type { CheckoutFields } from "./fields";
import { type CheckoutForm, usePaypalCheckout, useWireCheckout } from "./mutations";
import type { TemporaryOrder } from "./queries";
import type { WayOut } from "./use-way-out";

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
    const made = await wire.mutateAsync({ ...form, depositor });
    if (!made) return wayOut.leaveToOrders();
    wayOut.finish();
    wayOut.leaveTo(orderPath(made, 1));
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
