import { money } from "@/domain/money";
import { count } from "@/domain/units";
import { useIsOnline } from "@/shared/online";
import { orderTexts } from "@/shared/order-texts";
import { Button } from "@/shared/ui/Button";
import { Dialog } from "@/shared/ui/Dialog";
import { Facts } from "@/shared/ui/Facts";
import { Failure, OfflineReason } from "@/shared/ui/Panels";
import styles from "./ConfirmOrderDialog.module.css";
import type { Basket } from "./use-basket";

interface ConfirmOrderDialogProps {
  open: boolean;
  busy: boolean;
  /** It was asked for, and nobody knows whether it was made. */
  unanswered: boolean;
  basket: Basket;
  onConfirm: () => void;
  onCancel: () => void;
}

/** The last question before the basket becomes a temporary order. */
export default function ConfirmOrderDialog({
  open,
  busy,
  unanswered,
  basket,
  onConfirm,
  onCancel,
}: ConfirmOrderDialogProps) {
  const isOnline = useIsOnline();
  const cancel = () => {
    if (!busy) onCancel();
  };
  return (
    <Dialog
      open={open}
      onClose={cancel}
      title={orderTexts.requestOrder}
      footer={
        <>
          <Button disabled={busy} onClick={cancel}>
            Cancel
          </Button>
          <Button variant="primary" busy={busy} disabled={!isOnline} onClick={onConfirm}>
            Confirm
          </Button>
        </>
      }
    >
      <Facts
        layout="spread"
        className={styles.summary}
        facts={[
          { label: "Products", value: count(basket.items.length) },
          { label: "Units", value: count(basket.units) },
          { label: "Subtotal", value: money(basket.subtotal) },
        ]}
      />
      <Failure
        text={unanswered ? "No answer came. Confirm again: it is ordered once." : undefined}
      />
      <OfflineReason text="Ordering needs a connection." />
    </Dialog>
  );
}
