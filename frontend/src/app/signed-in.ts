import type { QueryClient } from "@tanstack/react-query";
import { startBasketSync } from "@/features/basket-sync/sync";
import { startOutbox } from "@/features/outbox/start-outbox";
import { keepFiles } from "@/worker/keep-files";

export { flushBasket, setAside } from "@/features/basket-sync/sync";

/** What runs while a buyer (a uuid) is signed in, in a chunk of its own. Returns what ends it. */
export function start(buyer: string, client: QueryClient): () => void {
  keepFiles();
  const stops = [startBasketSync(buyer), startOutbox(buyer, client)];
  return () => {
    for (const stop of stops) stop();
  };
}
