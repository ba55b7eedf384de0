import { useMutation, useQueryClient } from "@tanstack/react-query";
import { type RefObject, useState } from "react";
import { useNavigate } from "react-router";
import { wallet } from "@/api/account";
import { errorCode, fieldError, isWireOnly } from "@/api/client";
import { useUser } from "@/api/session";
import { type Cents, cents, money, usd } from "@/domain/figures";
import { orderPath } from "@/domain/orders";
import { checkWire, type PaymentMethod } from "@/domain/payment";
import { config } from "@/shared/config";
import { useDraft } from "@/shared/drafts";
import { limits } from "@/shared/limits";
import { leaveFor, useShownAgain } from "@/shared/navigation";
import { orderKeys } from "@/shared/query-keys";
import * as texts from "@/shared/texts";
import { alert, confirm } from "@/shared/ui/alerts";
import { agreeToSurcharge, usePaymentMethod } from "@/shared/ui/PaymentMethods";
import { toast } from "@/shared/ui/toasts";
import { payFromCredit, useAnnounceWire, usePaypalLink } from "./balance";
import { type Balance, CHANGED } from "./mutations";

interface BalanceCheckout {
  info: Balance;
  onClose: () => void;
  onReload: () => void;
  field: RefObject<HTMLInputElement | null>;
}

/** What the buyer fills in; `agreed` to the surcharge of PayPal. */
interface BalanceFields {
  readonly method: PaymentMethod;
  readonly agreed: boolean;
  readonly depositor: string;
}

/** What the buyer chooses in the checkout popup, and what its buttons do. */
export function useBalanceCheckout({ info, onClose, onReload, field }: BalanceCheckout) {
  const invoice_code = info.invoice_code;
  const declared = info.export_report === 1;
  const navigate = useNavigate();
  const client = useQueryClient();
  const wire = useAnnounceWire(invoice_code);
  const paypal = usePaypalLink(invoice_code);
  const [paid, setPaid] = useState<number>();
  // Pending from the press to the end of the call, with the question between: a second press asks nothing.
  const credit = useMutation({
    mutationKey: orderKeys.standing(invoice_code),
    meta: { onFailure: "alert" },
    mutationFn: async () => {
      const before = await client.fetchQuery({ ...wallet, staleTime: 0 });
      if (!(await confirm(creditQuestion(before.balance, info.amount)))) return;
      const { amount, status_id } = await payFromCredit(client, invoice_code, before);
      setPaid(amount);
      if (status_id === info.status_id) return onReload();
      goToOrder(status_id);
      toast(`${usd(amount)} was paid from your wallet. Nothing is due.`);
    },
  });
  const { uuid, company } = useUser();
  const draft = useDraft<BalanceFields>({
    owner: uuid,
    form: `balance:${invoice_code}`,
    initial: {
      // Goods that are not declared for export cannot be paid by wire.
      method: declared ? "T/T" : "PAYPAL",
      agreed: false,
      // Who wires is mostly the company.
      depositor: company.slice(0, limits.length.depositor),
    },
  });
  const { agreed, depositor } = draft.value;
  const { method, chooseMethod } = usePaymentMethod(info, draft.value.method, (next) =>
    draft.change({ method: next, agreed: next === "PAYPAL" || agreed }),
  );
  const [leaving, setLeaving] = useState(false);

  useShownAgain(() => {
    setLeaving(false);
    onReload();
  });

  const goToOrder = (statusId: number) => {
    draft.forget();
    onClose();
    void navigate(orderPath(invoice_code, statusId));
  };

  /** Paid or announced meanwhile: there is nothing left to check out. */
  const refused = async (error: unknown) => {
    if (fieldError(error, "amount")) {
      await alert("The balance due has changed. Please check the new amount.");
      return onReload();
    }
    if (isWireOnly(error)) return onReload();
    if (CHANGED.includes(errorCode(error) ?? "")) onClose();
    if (fieldError(error, "depositor_name")) field.current?.focus();
  };

  const payByPaypal = async () => {
    // Asked here where the method was set from the start.
    if (!agreed && !(await agreeToSurcharge())) return;
    draft.change({ agreed: true });
    const link = await paypal.mutateAsync();
    setLeaving(true);
    leaveFor(link);
  };

  const payByWire = async () => {
    const lack = checkWire({ depositor, exportDeclared: declared });
    if (lack === "depositor_required") {
      await alert(texts.balanceDepositorRequired);
      return field.current?.focus();
    }
    if (lack === "declaration_required") {
      const { sales_email } = config();
      return alert(texts.balanceDeclarationRequired.replace("{sales_email}", sales_email));
    }
    await wire.mutateAsync({ depositor_name: depositor.trim(), amount: info.amount });
    goToOrder(3);
  };

  const busy = wire.isPending || paypal.isPending || leaving;
  return {
    method,
    chooseMethod,
    depositor,
    setDepositor: (name: string) => {
      wire.reset();
      draft.change({ depositor: name });
    },
    depositorError: fieldError(wire.error, "depositor_name"),
    draft,
    busy,
    submit: async () => {
      if (leaving || credit.isPending) return;
      await (method === "PAYPAL" ? payByPaypal() : payByWire()).catch(refused);
    },
    payFromCredit: () => {
      if (!credit.isPending) credit.mutateAsync().catch(refused);
    },
    paying: credit.isPending,
    /** US dollars paid from the credit while the popup is open. */
    paid,
  };
}

/** What using the credit would take of it, and what it leaves. Amounts in US dollars. */
function creditQuestion(balance: number, due: number): string {
  const used = Math.min(cents(balance), cents(due));
  const rest = (cents(balance) - used) as Cents;
  return `Pay ${money(used as Cents)} from wallet? ${usd(balance)}\u00a0→\u00a0${money(rest)}`;
}
