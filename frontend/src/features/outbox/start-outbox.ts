import type { QueryClient } from "@tanstack/react-query";
import { whenUnanswered } from "@/api/client";
import { connection } from "@/shared/online";
import { probe } from "@/shared/probe";
import { sendWaiting } from "./send-waiting";

const AGAIN_MS = 15_000;

/**
 * Sends what the signed-in buyer (a uuid) wrote without a connection: now, and when the portal is back. Returns what ends it.
 */
export function startOutbox(buyer: string, client: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  const run = async () => {
    clearTimeout(timer);
    if (isOver || !connection.isOnline()) return;
    const isSettled = await sendWaiting(buyer, client).catch((error: unknown) => {
      console.error(error);
      return true;
    });
    if (!isSettled && !isOver) timer = setTimeout(run, AGAIN_MS);
  };
  whenUnanswered(probe);
  if (!connection.isOnline()) void probe();
  void run();
  const unsubscribe = connection.subscribe(() => void run());
  return () => {
    whenUnanswered(() => undefined);
    isOver = true;
    clearTimeout(timer);
    unsubscribe();
  };
}
