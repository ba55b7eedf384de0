import { Undo2 } from "lucide-react";
import { lazy } from "react";
import { Button } from "@/shared/ui/Button";
import { Part, usePopup } from "@/shared/ui/popup";
import type { Order } from "./queries";

const load = () => import("./WithdrawDialog");
const WithdrawDialog = lazy(load);

/** Takes an order back, while the server allows that. */
export function WithdrawButton({ order }: { order: Order }) {
  const popup = usePopup();
  const { withdraw, ask_to_cancel } = order.allowed;
  if (!(withdraw || ask_to_cancel || popup.open)) return null;
  return (
    <>
      <Button
        size="small"
        icon={<Undo2 />}
        aria-haspopup="dialog"
        onPointerEnter={() => void load()}
        onClick={() => popup.show(true)}
      >
        {ask_to_cancel ? "Ask to cancel" : "Change or withdraw"}
      </Button>
      {popup.subject && (
        <Part>
          <WithdrawDialog
            key={popup.number}
            open={popup.open}
            onClose={popup.close}
            order={order}
          />
        </Part>
      )}
    </>
  );
}
