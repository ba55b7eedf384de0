import { lazy } from "react";
import { Part, usePopup } from "@/shared/ui/popup";
import type { Order } from "./queries";

const load = () => import("./PoNumberDialog");
const PoNumberDialog = lazy(load);

/** The buyer's own number of an order, with a button that gives or changes it while the server allows that. */
export function PoNumber({ order: { po_number, allowed }, order }: { order: Order }) {
  const popup = usePopup();
  const word = po_number ? "Change" : "Add";
  return (
    <>
      {po_number && `${po_number} `}
      {/* What is being typed stays in sight, whatever becomes of the order. */}
      {(allowed.edit_po_number || popup.open) && (
        <button
          type="button"
          className="p-0 border-0 text-accent font-medium bg-transparent hover:underline
            phone:min-h-44 phone:-my-12 phone:pr-16"
          aria-haspopup="dialog"
          aria-label={`${word} PO number`}
          onPointerEnter={() => void load()}
          onClick={() => popup.show(true)}
        >
          {word}
        </button>
      )}
      {popup.subject && (
        <Part>
          <PoNumberDialog
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
