import { useQueryClient } from "@tanstack/react-query";
import { lazy, useState } from "react";
import { wallet } from "@/api/wallet";
import { useIsOnline } from "@/shared/online";
import { Button, type ButtonProps } from "@/shared/ui/Button";
import { OfflineReason } from "@/shared/ui/Panels";
import { Part } from "@/shared/ui/Part";
import { usePopup } from "@/shared/ui/popup";
import { Spinner } from "@/shared/ui/Spinner";
import { type Balance, useBalance } from "./mutations";
import type { Order } from "./queries";

const load = () => import("./CheckoutDialog");
const CheckoutDialog = lazy(load);

/** Asks what is due now and opens the checkout popup. */
export function CheckoutButton({ order, ...button }: ButtonProps & { order: Order }) {
  const balance = useBalance(order.invoice_code);
  const client = useQueryClient();
  const isOnline = useIsOnline();
  const [info, setInfo] = useState<Balance>();
  const popup = usePopup();

  const checkout = () => {
    if (balance.isPending) return;
    void load();
    void client.prefetchQuery(wallet);
    balance.mutate(undefined, {
      onSuccess: (due) => {
        setInfo(due);
        popup.show(true);
      },
    });
  };
  /** What is due has changed under the open popup; if nothing is, the popup closes. */
  const reload = () => balance.mutate(undefined, { onSuccess: setInfo, onError: popup.close });

  return (
    <>
      <Button
        {...button}
        disabled={!isOnline}
        onClick={checkout}
        icon={balance.isPending && <Spinner />}
        aria-busy={balance.isPending || undefined}
      />
      <OfflineReason text="Paying needs a connection." />
      {info && (
        <Part>
          <CheckoutDialog
            key={popup.number}
            open={popup.open}
            onClose={popup.close}
            onReload={reload}
            info={info}
          />
        </Part>
      )}
    </>
  );
}
