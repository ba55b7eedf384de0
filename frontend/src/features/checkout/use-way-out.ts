import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { basket } from "@/domain/basket";
import { counted } from "@/domain/units";
import { leaveFor } from "@/shared/navigation";
import { pageTexts } from "@/shared/page-texts";
import { productKeys } from "@/shared/query-keys";
import { alert } from "@/shared/ui/alerts";
import { toast } from "@/shared/ui/toasts";
import type { Quote } from "./queries";
import { basketLines } from "./rules";

/**
 * The ways out of the checkout. `leaving` holds until the screen is gone, so that its buttons stay busy; `forget` drops what
 * was kept of the form.
 */
export function useWayOut(forget: () => void) {
  const navigate = useNavigate();
  const [leaving, setLeaving] = useState(false);

  const leaveTo = (path: string) => {
    setLeaving(true);
    void navigate(path, { replace: true });
  };

  /** The list is an order, or deleted: basket and draft go. */
  const finish = () => {
    basket.ordered();
    forget();
  };

  return {
    leaving,
    leaveTo,
    finish,
    /** The list is an order already. */
    leaveToOrders: async () => {
      await alert(pageTexts.orderExists);
      finish();
      leaveTo("/invoice/0");
    },
    leaveToPaypal: (link: string) => {
      setLeaving(true);
      leaveFor(link);
    },
    /** The buyer is back, for instance from PayPal. */
    stay: () => setLeaving(false),
  };
}

/**
 * Leads from a list whose stock is gone to the basket, which has the list's lines, those that are short first, with what is
 * left of them.
 */
export function useBackToBasket() {
  const navigate = useNavigate();
  const client = useQueryClient();
  return (quote: Quote) => {
    const before = basket.lines().length;
    const undo = basket.undoable(() => basket.putBack(basketLines(quote)));
    const added = basket.lines().length - before;
    if (added > 0) toast(`${counted(added, "product")} put back into the basket.`, undo);
    // What the basket knew of the stock is not so any more.
    void client.resetQueries({ queryKey: productKeys.cart });
    void navigate("/order", { replace: true, state: { panel: "basket" } });
  };
}

export type WayOut = ReturnType<typeof useWayOut>;
