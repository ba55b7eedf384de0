import { useEffect, useState } from "react";
import { outbox, type Waiting } from "./outbox";

type WaitingText = Extract<Waiting, { text: string }>;

/** What this buyer wrote on an order and is not sent yet, the oldest first. */
export function useWaiting(owner: string, invoiceCode: string): readonly WaitingText[] {
  const [waiting, setWaiting] = useState<readonly Waiting[]>([]);
  useEffect(() => {
    let isOver = false;
    const read = () =>
      outbox.list(owner).then(
        (all) => {
          if (!isOver) setWaiting(all);
        },
        () => undefined,
      );
    void read();
    const unsubscribe = outbox.subscribe(() => void read());
    return () => {
      isOver = true;
      unsubscribe();
    };
  }, [owner]);
  return waiting.filter(
    (one): one is WaitingText => "text" in one && one.invoiceCode === invoiceCode,
  );
}
