import { useQuery } from "@tanstack/react-query";
import { wallet } from "@/api/wallet";
import { usd } from "@/domain/money";
import { Button } from "@/shared/ui/Button";
import styles from "./CheckoutDialog.module.css";

interface CreditRowProps {
  /** US dollars that are due. */
  due: number;
  /** US dollars paid from the credit just now. */
  paid: number | undefined;
  busy: boolean;
  disabled: boolean;
  onPay: () => void;
}

/** Pays from the company's wallet as far as it goes; nothing where there is no credit. */
export function CreditRow({ due, paid, busy, disabled, onPay }: CreditRowProps) {
  const { data } = useQuery(wallet);
  const balance = data?.balance ?? 0;
  return (
    <>
      {balance > 0 && (
        <section className={styles.credit}>
          <p>
            Credit of your company <span className="num">{usd(balance)}</span>
          </p>
          <Button size="small" busy={busy} disabled={disabled} onClick={onPay}>
            Use {usd(Math.min(balance, due))} of your credit
          </Button>
        </section>
      )}
      <p role="status" className={paid === undefined ? "visually-hidden" : styles.paid}>
        {paid !== undefined && `${usd(paid)} was paid with your credit. The rest is still due.`}
      </p>
    </>
  );
}
