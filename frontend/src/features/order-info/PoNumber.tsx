import { Tag } from "lucide-react";
import { lazy, useState } from "react";
import { poLabel } from "@/domain/po-number";
import { Part } from "@/shared/ui/Part";
import styles from "./PoNumber.module.css";
import type { Order } from "./queries";

const load = () => import("./PoNumberDialog");
const PoNumberDialog = lazy(load);

/** The buyer's own number of an order; a click gives or changes it while the server allows that. */
export function PoNumber({ order }: { order: Order }) {
  const [opened, setOpened] = useState(0);
  const [open, setOpen] = useState(false);
  const text = order.po_number ? poLabel(order.po_number) : "PO number";
  const icon = <Tag size={14} strokeWidth={1.8} aria-hidden />;
  // What is being typed stays in sight, whatever becomes of the order.
  if (!order.allowed.edit_po_number && !open) {
    return order.po_number ? (
      <span className={styles.chip}>
        {icon}
        {text}
      </span>
    ) : null;
  }
  return (
    <>
      <button
        type="button"
        className={styles.chip}
        aria-haspopup="dialog"
        onPointerEnter={() => void load()}
        onClick={() => {
          setOpened(opened + 1);
          setOpen(true);
        }}
      >
        {icon}
        {text}
      </button>
      {opened > 0 && (
        <Part>
          <PoNumberDialog key={opened} open={open} onClose={() => setOpen(false)} order={order} />
        </Part>
      )}
    </>
  );
}
