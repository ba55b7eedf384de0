import type { QueryClient } from "@tanstack/react-query";
import { whenUnanswered } from "@/api/client";
import { isAway } from "@/shared/away";
import { connection } from "@/shared/online";
import { outbox } from "@/shared/outbox";
import { sendWaiting } from "./send-waiting";

const AGAIN_MS = 15_000;

/** Sends what the buyer (a uuid) wrote without a connection, whenever one may be there. Returns what ends it. */
export function startOutbox(buyer: string, client: QueryClient): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  let isOver = false;
  let isRunning = false;
  let isAsked = false;
  const run = async (): Promise<void> => {
    clearTimeout(timer);
    if (isOver || !connection.isOnline()) return;
    isAsked = isRunning;
    if (isRunning) return;
    isRunning = true;
    const isSettled = await sendWaiting(buyer, client).catch((error: unknown) => {
      console.error(error);
      return true;
    });
    isRunning = false;
    if (isAsked) return run();
    if (!isSettled && !isOver) timer = setTimeout(run, AGAIN_MS);
  };
  whenUnanswered(probe);
  if (!connection.isOnline()) void probe();
  void run();
  // What got no answer is kept there too, though the portal may be reached.
  const stops = [connection.subscribe(() => void run()), outbox.subscribe(() => void run())];
  return () => {
    whenUnanswered(() => undefined);
    isOver = true;
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
}

const PROBE = "/robots.txt";
const PAUSE_MS = 3000;
let probing: Promise<void> | undefined;

const wait = () =>
  new Promise((done) => {
    setTimeout(done, PAUSE_MS);
  });

/** Whether the portal answers, and not only what stands before it. */
const answers = () =>
  fetch(PROBE, { method: "HEAD", cache: "no-store" }).then(
    ({ status }) => !isAway(status),
    () => false,
  );

async function look(): Promise<void> {
  while (!(await answers())) {
    connection.set(false);
    await wait();
  }
  connection.set(true);
}

/**
 * A call got no answer: looks whether the portal is there, and again until it is. The browser itself knows only of its own
 * network, not of a cable further away. All who ask meanwhile wait for the same look.
 */
export function probe(): Promise<void> {
  probing ??= look().finally(() => {
    probing = undefined;
  });
  return probing;
}
