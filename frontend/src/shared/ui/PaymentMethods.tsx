import { Landmark, Wallet } from "lucide-react";
import * as texts from "@/shared/texts";
import { config } from "../config";
import { confirm } from "./alerts";
import { RadioCards } from "./Choice";

type Method = "T/T" | "PAYPAL";

interface PaymentMethodsProps {
  value: Method;
  onChange: (method: Method) => void;
  /** Whether PAYPAL may be chosen. */
  takesPaypal: boolean;
  /** What each costs. */
  notes?: Readonly<Record<Method, string>>;
  className?: string | undefined;
}

/** Bank Wire, and PAYPAL where that is taken. */
export function PaymentMethods({ takesPaypal, notes, ...cards }: PaymentMethodsProps) {
  const wire = {
    value: "T/T",
    label: "Bank Wire",
    note: notes?.["T/T"],
    icon: <Landmark size={20} />,
  } as const;
  const paypal = {
    value: "PAYPAL",
    label: "PAYPAL",
    note: notes?.PAYPAL,
    icon: <Wallet size={20} />,
  } as const;
  return (
    <RadioCards<Method>
      legend="Payment Method"
      options={takesPaypal ? [wire, paypal] : [wire]}
      {...cards}
    />
  );
}

/** Asks whether a PayPal payment's surcharge is agreed to. */
export function agreeToSurcharge(): Promise<boolean> {
  return confirm(config().paypal_warning ?? texts.paypalSurcharge);
}
