import { useQueryClient } from "@tanstack/react-query";
import { lazy, useState } from "react";
import { wallet } from "@/api/wallet";
import { useIsOnline } from "@/shared/online";
import { Button, type ButtonProps } from "@/shared/ui/Button";
import { OfflineReason } from "@/shared/ui/Panels";
import { Part } from "@/shared/ui/Part";
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
  const [open, setOpen] = useState(false);
  const [opened, setOpened] = useState(0);

  const checkout = () => {
    if (balance.isPending) return;
    void load();
    void client.prefetchQuery(wallet);
    balance.mutate(undefined, {
      onSuccess: (due) => {
        setInfo(due);
        setOpened(opened + 1);
        setOpen(true);
      },
    });
  };
  /** What is due has changed under the open popup; if nothing is, the popup closes. */
  const reload = () =>
    balance.mutate(undefined, { onSuccess: setInfo, onError: () => setOpen(false) });

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
            key={opened}
            open={open}
            onClose={() => setOpen(false)}
            onReload={reload}
            info={info}
          />
        </Part>
      )}
    </>
  );
}
