/** What stops a checkout before a call is made, and what the server's refusal says. The server decides again. */

import type { ApiError } from "@/api/client";
import { isShort } from "@/domain/orders";
import { checkWire, type PaymentMethod, type WireProblem } from "@/domain/payment";
import { missingShipFields, type ShipField, type ShipFields } from "@/domain/shipping";
import * as texts from "@/shared/texts";
import type { TemporaryOrderLine } from "./queries";

export type Declaration = "YES" | "NO";

export interface CheckoutFields {
  declaration: Declaration;
  responsible: boolean;
  address: ShipFields;
  memo: string;
  poNumber: string;
  method: PaymentMethod;
  depositor: string;
}

/** What is wrong with the fields. */
export type FieldErrors = Partial<Record<ShipField | "poNumber" | "depositor", string>>;

const WIRE_TEXTS: Record<WireProblem, string> = {
  depositor_required: texts.depositorRequired,
  declaration_required: texts.declarationForTransfer,
};
/** Server's sentences that the specification names; any other is answered by the general one. */
const SPOKEN: readonly string[] = [...Object.values(WIRE_TEXTS), texts.someOutOfStock];

/** The form's fields beside those of the address, by their names in the call. */
const OTHER_FIELDS: Readonly<Record<string, keyof FieldErrors>> = {
  po_number: "poNumber",
  payer_id: "depositor",
};

/** Whether the stock does not cover a line. */
export function isLineShort(line: TemporaryOrderLine, stockFree: boolean): boolean {
  return isShort({ available: line.expect_qty, count: line.count, stockFree });
}

/** What stops the checkout, in the order in which the specification names it; undefined if nothing does. */
export function checkoutProblem(
  fields: CheckoutFields,
  lines: readonly TemporaryOrderLine[],
  { stockFree, deposit }: { stockFree: boolean; deposit: number },
): string | undefined {
  if (lines.some((line) => isLineShort(line, stockFree))) return texts.someOutOfStock;
  const declared = fields.declaration === "YES";
  if (!declared && !fields.responsible) return texts.checkDeclaration;
  if (fields.method !== "T/T" || deposit === 0) return undefined;
  const wireProblem = checkWire({ depositor: fields.depositor, exportDeclared: declared });
  return wireProblem && WIRE_TEXTS[wireProblem];
}

export const missingErrors = (address: ShipFields): FieldErrors =>
  Object.fromEntries(missingShipFields(address).map((name) => [name, texts.fieldRequired]));

/** What the server has against the form's fields. */
export function fieldErrors(error: ApiError): FieldErrors {
  const ours = Object.entries(error.errors).map(([name, [text]]) => [
    name.startsWith("ship_") ? name : OTHER_FIELDS[name],
    text,
  ]);
  return Object.fromEntries(ours.filter(([name]) => name));
}

/** The sentence of a refusal that names no field of the form. */
export function refusalText({ message }: ApiError): string {
  return SPOKEN.includes(message) ? message : texts.somethingWentWrong;
}
