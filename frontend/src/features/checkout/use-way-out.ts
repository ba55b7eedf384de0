import { useState } from "react";
import { useNavigate } from "react-router";
import { basket } from "@/domain/basket";
import { leaveFor } from "@/shared/leave";
import { pageTexts } from "@/shared/page-texts";
import { alert } from "@/shared/ui/alerts";

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

export type WayOut = ReturnType<typeof useWayOut>;
