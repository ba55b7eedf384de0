import { useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { hasSyncedBasket, left } from "@/shared/token";

const load = () => import("./signed-in");
const log = (error: unknown) => console.error(error);
const LAST_EDITS_MS = 1500;

/** Keeps the basket of the signed-in buyer (a uuid) and the server's alike, and sends what waited for a connection. */
export function useBasketSync(buyer: string | undefined): void {
  const client = useQueryClient();
  useEffect(() => {
    if (!buyer) return;
    let stop: (() => void) | undefined;
    let isOver = false;
    load()
      .then(({ start }) => {
        if (!isOver) stop = start(buyer, client);
      })
      .catch(log);
    return () => {
      isOver = true;
      stop?.();
    };
  }, [buyer, client]);
}

/** Before a sign-out: gives the server the last edits of the basket. Those that do not reach it wait in this browser. */
export async function sendLastEdits(buyer: string | undefined): Promise<void> {
  if (!buyer || !hasSyncedBasket()) return;
  await load()
    .then(({ flushBasket }) => flushBasket(buyer, LAST_EDITS_MS))
    .catch(log);
}

/** After a sign-out: keeps what was left behind. */
export function keepLastEdits(): void {
  if (left.get().length === 0) return;
  load()
    .then(({ setAside }) => setAside())
    .catch(log);
}
