import { Landmark, Wallet } from "lucide-react";
import { useState } from "react";
import { methodOf, type PaymentMethod } from "@/domain/payment";
import * as texts from "@/shared/texts";
import { config } from "../config";
import { confirm } from "./alerts";
import { RadioCards } from "./Choice";

interface PaymentMethodsProps {
  value: PaymentMethod;
  onChange: (method: PaymentMethod) => void;
  takesPaypal: boolean;
  notes?: Readonly<Record<PaymentMethod, string>>;
  className?: string | undefined;
}

const METHODS = [
  { value: "T/T", label: "Bank Wire", icon: <Landmark size={20} /> },
  { value: "PAYPAL", label: "PAYPAL", icon: <Wallet size={20} /> },
] as const;

/** Bank Wire, and PAYPAL where that is taken. */
export function PaymentMethods({ takesPaypal, notes, ...cards }: PaymentMethodsProps) {
  const options = METHODS.filter(({ value }) => takesPaypal || value !== "PAYPAL");
  return (
    <RadioCards<PaymentMethod>
      legend="Payment Method"
      options={options.map((method) => ({ ...method, note: notes?.[method.value] }))}
      {...cards}
    />
  );
}

/** The way to pay as it is shown: PAYPAL asks about its fee first, and counts once that is agreed to. */
export function usePaymentMethod(
  quote: Parameters<typeof methodOf>[0],
  chosen: PaymentMethod,
  onChosen: (method: PaymentMethod) => void,
) {
  const [pending, setPending] = useState<PaymentMethod>();
  const choose = async (method: PaymentMethod) => {
    if (method !== "PAYPAL") return onChosen(method);
    setPending(method);
    const isAgreed = await agreeToSurcharge();
    setPending(undefined);
    if (isAgreed) onChosen(method);
  };
  const choosePayment = (method: PaymentMethod) => void choose(method);
  return { method: methodOf(quote, pending ?? chosen), chooseMethod: choosePayment };
}

/** Asks about the fee of PayPal. */
export function agreeToSurcharge(): Promise<boolean> {
  return confirm(config().paypal_warning ?? texts.paypalSurcharge);
}
