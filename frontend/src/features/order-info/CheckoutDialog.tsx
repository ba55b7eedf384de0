import { useQuery } from "@tanstack/react-query";
import { useRef } from "react";
import { wallet } from "@/api/account";
import { buyerConfig } from "@/api/seller";
import { usd } from "@/domain/figures";
import { feeLabel, takesPaypal, toPay } from "@/domain/payment";
import { limits } from "@/shared/limits";
import { useIsOnline } from "@/shared/online";
import { BankBlock } from "@/shared/ui/BankBlock";
import { Button } from "@/shared/ui/Button";
import { Dialog, type DialogState } from "@/shared/ui/Dialog";
import { Facts } from "@/shared/ui/Facts";
import { TextField } from "@/shared/ui/Field";
import { OfflineReason } from "@/shared/ui/Panels";
import { PaymentMethods } from "@/shared/ui/PaymentMethods";
import { RestoredLine } from "@/shared/ui/RestoredLine";
import type { Balance } from "./mutations";
import { useBalanceCheckout } from "./use-balance-checkout";

const PART =
  "grid gap-10 border-t border-line wrap-anywhere mt-14 pt-14 [&_h3]:text-13 [&_p+p]:-mt-10";

interface CheckoutDialogProps extends DialogState {
  onReload: () => void;
  info: Balance;
}

/** Popup 'Checkout': the balance of a confirmed order (readings, Two readings). Amounts are the server's. */
export default function CheckoutDialog({ onReload, info, ...dialog }: CheckoutDialogProps) {
  const field = useRef<HTMLInputElement>(null);
  const checkout = useBalanceCheckout({ info, onClose: dialog.onClose, onReload, field });
  const config = useQuery(buyerConfig);
  const credit = useQuery(wallet).data?.balance ?? 0;
  const isOnline = useIsOnline();
  const byPaypal = checkout.method === "PAYPAL";
  const town = [info.ship_zipcode, info.ship_city].filter(Boolean).join(" ");
  const address = [info.ship_address1, info.ship_address2, town, info.state, info.country];

  return (
    <Dialog
      {...dialog}
      onSubmit={checkout.submit}
      title="Checkout"
      subline={<span className="tabular-nums">{info.invoice_code}</span>}
      width={600}
      footer={
        <>
          <p className="grid mr-auto leading-[1.25] [&_strong]:text-20">
            <span className="text-ink-3 text-13">Total amount</span>
            <strong className="tabular-nums">
              {usd(toPay(checkout.method, info, info.amount))}
            </strong>
          </p>
          <Button onClick={dialog.onClose}>Cancel</Button>
          <Button
            variant="primary"
            type="submit"
            busy={checkout.busy}
            disabled={checkout.paying || !isOnline}
          >
            Checkout
          </Button>
        </>
      }
    >
      <OfflineReason text="Paying needs a connection. The form is kept." />
      <RestoredLine form={checkout.draft} />
      <Facts
        className="[&>div]:grid-cols-[128px_minmax(0,1fr)]!"
        facts={[
          { label: "Order type", value: info.type },
          { label: "Export Declaration", value: info.export_report === 1 ? "YES" : "NO" },
        ]}
      />
      <section className={PART}>
        <h3>Shipping address</h3>
        <p className="tabular-nums">{address.filter(Boolean).join(", ")}</p>
        <p className="tabular-nums">{info.ship_phone}</p>
      </section>
      {credit > 0 && (
        <section className="flex flex-wrap items-center justify-between border-t border-line gap-12 mt-14 pt-14">
          <p>
            Wallet balance <span className="font-medium tabular-nums">{usd(credit)}</span>
          </p>
          <Button
            size="small"
            busy={checkout.paying}
            disabled={checkout.busy || !isOnline}
            onClick={checkout.payFromCredit}
          >
            Pay {usd(Math.min(credit, info.amount))} from wallet
          </Button>
        </section>
      )}
      <p
        role="status"
        className={
          checkout.paid === undefined ? "sr-only" : "rounded-2 mt-14 py-10 px-14 bg-ok-bg text-ok"
        }
      >
        {checkout.paid !== undefined &&
          `${usd(checkout.paid)} was paid from your wallet. The rest is still due.`}
      </p>
      <section className={PART}>
        <h3>Payment Method</h3>
        <PaymentMethods
          className="[&_label]:min-h-50!"
          value={checkout.method}
          onChange={checkout.chooseMethod}
          takesPaypal={takesPaypal(info)}
        />
        {byPaypal ? (
          <Facts
            layout="spread"
            className="rounded-3 bg-sunken px-card py-14"
            facts={[
              { label: "Balance due", value: usd(info.amount) },
              { label: feeLabel(config.data?.paypal_fee_rate), value: usd(info.paypal_fee ?? 0) },
            ]}
          />
        ) : (
          <>
            <BankBlock config={config} />
            <TextField
              ref={field}
              label="Account Name"
              error={checkout.depositorError}
              required
              maxLength={limits.length.depositor}
              autoComplete="off"
              value={checkout.depositor}
              onChange={(event) => checkout.setDepositor(event.target.value)}
            />
          </>
        )}
      </section>
    </Dialog>
  );
}
