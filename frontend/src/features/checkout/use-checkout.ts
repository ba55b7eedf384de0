import { useQueryClient } from "@tanstack/react-query";
import { type RefObject, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { ApiError } from "@/api/errors";
import { useUser } from "@/api/session";
import { basket } from "@/domain/basket";
import type { PaymentMethod } from "@/domain/paypal";
import { missingShipFields, type ShipFields } from "@/domain/shipping";
import { isShort } from "@/domain/stock";
import { checkWire, type WireProblem } from "@/domain/wire";
import { leaveFor, useShownAgain } from "@/shared/leave";
import { pageTexts } from "@/shared/page-texts";
import { temporaryOrderKeys } from "@/shared/query-keys";
import { texts } from "@/shared/texts";
import { alert, confirm } from "@/shared/ui/alerts";
import { draft } from "./draft";
import { useCancelCheckout, usePaypalCheckout, useWireCheckout } from "./mutations";
import type { Quote, TemporaryOrderLine } from "./queries";

export type Declaration = "YES" | "NO";

/** What the buyer fills in. */
export interface CheckoutFields {
  declaration: Declaration;
  responsible: boolean;
  address: ShipFields;
  memo: string;
  method: PaymentMethod;
  depositor: string;
}

const WIRE_TEXTS: Record<WireProblem, string> = {
  depositor_required: pageTexts.depositorRequired,
  declaration_required: pageTexts.declarationForTransfer,
};
/** Server's sentences that the specification names; any other is answered by the general one. */
const SPOKEN: readonly string[] = [...Object.values(WIRE_TEXTS), texts.someOutOfStock];

/** Whether the stock does not cover a list for this buyer. */
export function isListShort(lines: readonly TemporaryOrderLine[], stockFree: boolean): boolean {
  return lines.some(({ expect_qty, count }) =>
    isShort({ available: expect_qty, count, stockFree }),
  );
}

/** The deposit checkout's fields and what its buttons do. `form` holds the address fields. */
export function useCheckout(quote: Quote, form: RefObject<HTMLElement | null>) {
  const { temp_order, temp_order_details } = quote;
  const code = temp_order.invoice_code;
  const { stock_free } = useUser();
  const navigate = useNavigate();
  const client = useQueryClient();
  const wire = useWireCheckout();
  const paypal = usePaypalCheckout();
  const cancelling = useCancelCheckout();
  const [fields, setFields] = useState<CheckoutFields>(() => ({
    declaration: "YES",
    responsible: false,
    address: addressOf(temp_order),
    memo: "",
    method: "T/T",
    depositor: "",
    ...draft.kept(code),
  }));
  const [errors, setErrors] = useState<Partial<Record<keyof ShipFields, string>>>({});
  // Answered and on the way elsewhere: the buttons stay busy until the screen is gone.
  const [leaving, setLeaving] = useState(false);
  const working = useRef(false);

  const change = (changes: Partial<CheckoutFields>) =>
    setFields((before) => ({ ...before, ...changes }));

  const changeAddress = (changes: Partial<ShipFields>) => {
    setFields((before) => ({ ...before, address: { ...before.address, ...changes } }));
    setErrors((before) =>
      Object.fromEntries(Object.entries(before).filter(([name]) => !(name in changes))),
    );
  };

  const chooseMethod = async (method: PaymentMethod) => {
    const before = fields.method;
    change({ method });
    if (method === "PAYPAL") {
      if (!(await confirm(pageTexts.paypalSurcharge))) change({ method: before });
    } else if (fields.declaration === "NO") {
      await alert(pageTexts.declarationForWire);
    }
  };

  /** The stock, the quote or the payment has changed. */
  const reload = () => client.invalidateQueries({ queryKey: temporaryOrderKeys.info(code) });

  useShownAgain(() => {
    setLeaving(false);
    void reload();
  });

  const showErrors = (found: Partial<Record<keyof ShipFields, string>>) => {
    setErrors(found);
    const first = Object.keys(found)[0];
    form.current?.querySelector<HTMLElement>(`[name="${first}"]`)?.focus();
  };

  /** What stops the checkout, in the order in which the specification names it. */
  const problem = (): string | undefined => {
    if (isListShort(temp_order_details, stock_free === 1)) return texts.someOutOfStock;
    const declared = fields.declaration === "YES";
    if (!declared && !fields.responsible) return pageTexts.checkDeclaration;
    if (fields.method !== "T/T") return undefined;
    const wireProblem = checkWire({ depositor: fields.depositor, exportDeclared: declared });
    return wireProblem && WIRE_TEXTS[wireProblem];
  };

  const leaveTo = (path: string) => {
    setLeaving(true);
    void navigate(path, { replace: true });
  };

  const goToOrders = async () => {
    await alert(pageTexts.orderExists);
    basket.clear();
    leaveTo("/invoice/0");
  };

  const refused = async (error: ApiError) => {
    switch (error.code) {
      case "order_exists":
        return goToOrders();
      case "expired":
        await alert(error.message);
        return leaveTo("/order");
      case "payment_pending":
        // The list that is loaded now says so in the place of the form.
        break;
      case "out_of_stock":
        await alert(error.message);
        break;
      case "invalid": {
        const found = shipErrors(error);
        if (Object.keys(found).length > 0) return showErrors(found);
        await alert(SPOKEN.includes(error.message) ? error.message : texts.somethingWentWrong);
        break;
      }
      default:
        return;
    }
    await reload();
  };

  const send = async () => {
    const order = {
      invoice_code: code,
      export_report: fields.declaration === "YES" ? (1 as const) : (0 as const),
      ...fields.address,
      ship_memo: fields.memo,
    };
    if (fields.method === "PAYPAL") {
      const link = await paypal.mutateAsync({ ...order, amount: temp_order.paypal_total });
      if (!link) return goToOrders();
      setLeaving(true);
      draft.keep(code, fields);
      return leaveFor(link);
    }
    const depositor = fields.depositor.trim();
    const made = await wire.mutateAsync({ ...order, amount: temp_order.deposit, depositor });
    if (!made) return goToOrders();
    basket.clear();
    leaveTo(`/invoice/1?invoice_code=${encodeURIComponent(made)}`);
  };

  const submit = async () => {
    if (working.current) return;
    working.current = true;
    try {
      const stopped = problem();
      if (stopped) return await alert(stopped);
      const missing = missingShipFields(fields.address);
      if (missing.length > 0) {
        return showErrors(
          Object.fromEntries(missing.map((name) => [name, pageTexts.fieldRequired])),
        );
      }
      await send();
    } catch (error) {
      if (error instanceof ApiError) await refused(error);
    } finally {
      working.current = false;
    }
  };

  const cancel = async () => {
    if (!(await confirm(pageTexts.cancelCheckout, { destroys: true }))) return;
    try {
      await cancelling.mutateAsync(code);
    } catch (error) {
      const refusal = error instanceof ApiError ? error.code : undefined;
      if (refusal === "order_exists") return goToOrders();
      // A list that is gone already is as good as deleted.
      if (refusal !== "not_found") return;
    }
    basket.clear();
    leaveTo("/order");
  };

  return {
    fields,
    errors,
    change,
    changeAddress,
    chooseMethod: (method: PaymentMethod) => void chooseMethod(method),
    busy: wire.isPending || paypal.isPending || leaving,
    cancelling: cancelling.isPending,
    submit: () => void submit(),
    cancel: () => void cancel(),
  };
}

export type Checkout = ReturnType<typeof useCheckout>;

function addressOf(order: ShipFields): ShipFields {
  const { ship_country, ship_state, ship_city, ship_zipcode } = order;
  const { ship_address1, ship_address2, ship_phone } = order;
  return {
    ship_country,
    ship_state,
    ship_city,
    ship_zipcode,
    ship_address1,
    ship_address2,
    ship_phone,
  };
}

function shipErrors(error: ApiError): Partial<Record<keyof ShipFields, string>> {
  const named = Object.entries(error.errors).filter(([name]) => name.startsWith("ship_"));
  return Object.fromEntries(named.map(([name, [first]]) => [name, first]));
}
