import { useQuery } from "@tanstack/react-query";
import { buyerConfig } from "@/api/seller";
import { type PaymentMethod, percent } from "@/domain/payment";
import { limits } from "@/shared/limits";
import { BankBlock } from "@/shared/ui/BankBlock";
import { TextField } from "@/shared/ui/Field";
import { PaymentMethods } from "@/shared/ui/PaymentMethods";
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
      <PaymentMethods
        value={method}
        onChange={onMethod}
        takesPaypal={paypal}
        notes={{
          "T/T": "T/T transfer, no surcharge",
          PAYPAL: rate === undefined ? "Surcharge" : `Surcharge ${percent(rate)}`,
        }}
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
