import { useMutation } from "@tanstack/react-query";
import { useNavigate } from "react-router";
import { api, unwrap } from "@/api/client";
import { againLink } from "@/domain/orders";
import { useIsOnline } from "@/shared/online";
import { orderKeys } from "@/shared/query-keys";
import { Button } from "@/shared/ui/Button";
import { Dialog, type DialogState } from "@/shared/ui/Dialog";
import { OfflineReason } from "@/shared/ui/Panels";
import { toast } from "@/shared/ui/toasts";
import { CHANGED, changing } from "./mutations";
import type { Order } from "./queries";

/** Withdraws an order, for good or to order its products anew; a paid one is asked to be cancelled. */
export default function WithdrawDialog({ order, ...dialog }: DialogState & { order: Order }) {
  const code = order.invoice_code;
  // Takes an order at Received back; `toChange` if its products are ordered anew.
  const withdrawal = useMutation({
    ...changing(code, CHANGED, [orderKeys.all]),
    mutationKey: orderKeys.standing(code),
    mutationFn: async (toChange: boolean) => {
      const params = { path: { invoice_code: code } };
      const body = { to_change: toChange ? 1 : 0 } as const;
      return unwrap(await api.POST("/order/withdraw/{invoice_code}", { params, body }));
    },
  });
  const navigate = useNavigate();
  const isOnline = useIsOnline();
  const asks = order.allowed.ask_to_cancel;
  const send = (toChange: boolean) => {
    if (withdrawal.isPending) return;
    withdrawal.mutate(toChange, {
      onSettled: dialog.onClose,
      onSuccess: ({ withdrawn }) => {
        if (withdrawn && toChange) void navigate(againLink({ of: code }));
        else toast(withdrawn ? "Order withdrawn." : "Your request to cancel was sent.");
      },
    });
  };
  return (
    <Dialog
      {...dialog}
      title={asks ? "Ask to cancel" : "Change or withdraw"}
      subline={<span className="tabular-nums">{code}</span>}
      footer={
        <>
          <Button onClick={dialog.onClose}>Keep the order</Button>
          {!asks && (
            <Button disabled={!isOnline} onClick={() => send(false)}>
              Withdraw
            </Button>
          )}
          <Button
            variant="primary"
            busy={withdrawal.isPending}
            disabled={!isOnline}
            onClick={() => send(!asks)}
          >
            {asks ? "Ask to cancel" : "Change its products"}
          </Button>
        </>
      }
    >
      {asks ? (
        <p>
          We have received payment for this order. Our sales team will answer your request under the
          terms of use.
        </p>
      ) : (
        <div className="grid gap-8">
          <p>
            We have not started preparing this order. To change it, withdraw it: its products go
            back into your basket at today’s prices and stock, and you order again.
          </p>
          {order.payment_type === "T/T" && (
            <p>If you have already sent the payment, please send us a message instead.</p>
          )}
        </div>
      )}
      <OfflineReason text="This needs a connection." />
    </Dialog>
  );
}
