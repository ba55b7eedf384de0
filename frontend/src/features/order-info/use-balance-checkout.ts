import { type RefObject, useState } from "react";
import { useNavigate } from "react-router";
import { errorCode } from "@/api/errors";
import type { PaymentMethod } from "@/domain/paypal";
import { checkWire } from "@/domain/wire";
import { config } from "@/shared/config";
import { leaveFor, useShownAgain } from "@/shared/leave";
import { pageTexts } from "@/shared/page-texts";
import { alert, confirm } from "@/shared/ui/alerts";
import { type Balance, useAnnounceWire, useCredit, usePaypalLink } from "./mutations";

interface BalanceCheckout {
  info: Balance;
  onClose: () => void;
  /** What is due has changed. */
  onReload: () => void;
  /** The depositor's field. */
  field: RefObject<HTMLInputElement | null>;
}

/** What the buyer chooses in the checkout popup, and what its buttons do. */
export function useBalanceCheckout({ info, onClose, onReload, field }: BalanceCheckout) {
  const code = info.invoice_code;
  const declared = info.export_report === 1;
  const navigate = useNavigate();
  const wire = useAnnounceWire(code);
  const paypal = usePaypalLink(code);
  const credit = useCredit(code);
  const [depositor, setDepositor] = useState("");
  // Goods that are not declared for export cannot be paid by wire.
  const [method, setMethod] = useState<PaymentMethod>(declared ? "T/T" : "PAYPAL");
  const [agreed, setAgreed] = useState(false);
  const [leaving, setLeaving] = useState(false);

  useShownAgain(() => {
    setLeaving(false);
    onReload();
  });

  const chooseMethod = async (chosen: PaymentMethod) => {
    setMethod(chosen);
    if (chosen !== "PAYPAL") return;
    const yes = await confirm(pageTexts.paypalSurcharge);
    setAgreed(yes);
    if (!yes) setMethod(method);
  };

  const goToOrder = (statusId: number) => {
    onClose();
    void navigate(`/invoice/${statusId}?invoice_code=${encodeURIComponent(code)}`);
  };

  /** Paid or announced meanwhile: there is nothing left to check out. */
  const refused = (error: unknown) => {
    if (["wrong_status", "payment_pending"].includes(errorCode(error) ?? "")) onClose();
  };

  const payByPaypal = async () => {
    // Asked here where the method was set from the start.
    if (!agreed && !(await confirm(pageTexts.paypalSurcharge))) return;
    setAgreed(true);
    const link = await paypal.mutateAsync();
    setLeaving(true);
    leaveFor(link);
  };

  const payByWire = async () => {
    const lack = checkWire({ depositor, exportDeclared: declared });
    if (lack === "depositor_required") {
      await alert(pageTexts.balanceDepositorRequired);
      return field.current?.focus();
    }
    if (lack === "declaration_required") {
      const { sales_email } = config();
      return alert(pageTexts.balanceDeclarationRequired.replace("{sales_email}", sales_email));
    }
    await wire.mutateAsync(depositor.trim());
    goToOrder(3);
  };

  const payFromCredit = async () => {
    const { status_id } = await credit.mutateAsync();
    if (status_id === info.status_id) onReload();
    else goToOrder(status_id);
  };

  const busy = wire.isPending || paypal.isPending || leaving;
  return {
    method,
    chooseMethod: (chosen: PaymentMethod) => void chooseMethod(chosen),
    depositor,
    setDepositor,
    busy,
    submit: () => {
      if (busy || credit.isPending) return;
      (method === "PAYPAL" ? payByPaypal() : payByWire()).catch(refused);
    },
    payFromCredit: () => void payFromCredit().catch(refused),
    paying: credit.isPending,
    /** US dollars paid from the credit while the popup is open. */
    paid: credit.data?.amount,
  };
}
