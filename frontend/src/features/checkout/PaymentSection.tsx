import { useQuery } from "@tanstack/react-query";
import { Landmark, Wallet } from "lucide-react";
import { buyerConfig } from "@/api/config";
import { type PaymentMethod, percent } from "@/domain/paypal";
import { limits } from "@/shared/limits";
import { BankBlock } from "@/shared/ui/BankBlock";
import { RadioCards } from "@/shared/ui/Choice";
import { TextField } from "@/shared/ui/Field";
import { CheckoutSection } from "./CheckoutSection";

interface PaymentSectionProps {
  /** Whether PAYPAL may be chosen. */
  paypal: boolean;
  method: PaymentMethod;
  depositor: string;
  /** What is wrong with the depositor. */
  error: string | undefined;
  onMethod: (method: PaymentMethod) => void;
  onDepositor: (depositor: string) => void;
}

/** Bank Wire, or PAYPAL where that is taken; the wire shows the seller's bank and asks who pays. */
export function PaymentSection({
  paypal,
  method,
  depositor,
  error,
  onMethod,
  onDepositor,
}: PaymentSectionProps) {
  const config = useQuery(buyerConfig);
  const rate = config.data?.paypal_fee_rate;
  return (
    <CheckoutSection title="Payment Method">
      <RadioCards<PaymentMethod>
        legend="Payment Method"
        value={method}
        onChange={onMethod}
        options={[
          {
            value: "T/T",
            label: "Bank Wire",
            note: "T/T transfer, no surcharge",
            icon: <Landmark size={20} strokeWidth={1.6} />,
          },
          ...(paypal
            ? [
                {
                  value: "PAYPAL" as const,
                  label: "PAYPAL",
                  note: rate === undefined ? "Surcharge" : `Surcharge ${percent(rate)}`,
                  icon: <Wallet size={20} strokeWidth={1.6} />,
                },
              ]
            : []),
        ]}
      />
      {method === "T/T" && (
        <>
          <BankBlock config={config} />
          <TextField
            label="Account Name"
            name="payer_id"
            error={error}
            hint="The depositor: the name on the account that you pay from."
            required
            autoComplete="off"
            maxLength={limits.length.depositor}
            value={depositor}
            onChange={(event) => onDepositor(event.target.value)}
          />
        </>
      )}
    </CheckoutSection>
  );
}
