import type { PaymentMethod } from "@/domain/payment";
import type { ShipField, ShipFields } from "@/domain/shipping";

export type Declaration = "YES" | "NO";

/** What the buyer fills in. */
export interface CheckoutFields {
  declaration: Declaration;
  responsible: boolean;
  address: ShipFields;
  memo: string;
  poNumber: string;
  method: PaymentMethod;
  depositor: string;
}

/** What is wrong with the fields, by the names of the call. */
export type FieldErrors = Partial<Record<ShipField | "po_number" | "payer_id", string>>;
