import { Undo2 } from "lucide-react";
import { lazy, useState } from "react";
import { Button } from "@/shared/ui/Button";
import { Part } from "@/shared/ui/Part";
import type { Order } from "./queries";

const load = () => import("./WithdrawDialog");
const WithdrawDialog = lazy(load);

/** Takes an order back, while the server allows that. */
export function WithdrawButton({ order }: { order: Order }) {
  const [opened, setOpened] = useState(0);
  const [open, setOpen] = useState(false);
  const { withdraw, ask_to_cancel } = order.allowed;
  if (!(withdraw || ask_to_cancel || open)) return null;
  return (
    <>
      <Button
        size="small"
        icon={<Undo2 />}
        aria-haspopup="dialog"
        onPointerEnter={() => void load()}
        onClick={() => {
          setOpened(opened + 1);
          setOpen(true);
        }}
      >
        {ask_to_cancel ? "Ask to cancel" : "Change or withdraw"}
      </Button>
      {opened > 0 && (
        <Part>
          <WithdrawDialog key={opened} open={open} onClose={() => setOpen(false)} order={order} />
        </Part>
      )}
    </>
  );
}
