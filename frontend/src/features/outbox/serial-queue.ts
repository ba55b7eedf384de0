import { ApiError, isSessionEnd, isUncertain } from "@/api/errors";
import { isTooOld, type Waiting } from "@/shared/outbox";

/** It was done, it may be done another time, or why it never will be. */
export type Outcome = "done" | "later" | { readonly why: string };

const TOO_OLD: Outcome = { why: "It waited for more than 7 days." };

/** What a call that is repeated came to. */
export async function outcomeOf(call: Promise<unknown>): Promise<Outcome> {
  try {
    await call;
    return "done";
  } catch (error) {
    const isFinal =
      error instanceof ApiError &&
      !isUncertain(error) &&
      !isSessionEnd(error) &&
      !error.isPassing &&
      error.status !== 429;
    return isFinal ? { why: error.message } : "later";
  }
}

/** What sending needs of the browser and of the portal. */
interface Post {
  readonly list: () => Promise<readonly Waiting[]>;
  readonly remove: (waiting: Waiting) => Promise<void>;
  readonly send: (waiting: Waiting) => Promise<Outcome>;
  /** Keeps what will never be sent; false where that did not work. */
  readonly giveBack: (waiting: Waiting, why: string) => Promise<boolean>;
}

/** Sends one after another; what must wait holds up what was written after it. */
export async function sendInOrder({ list, remove, send, giveBack }: Post) {
  let sent = 0;
  for (const waiting of await list()) {
    const outcome = isTooOld(waiting) ? TOO_OLD : await send(waiting);
    if (outcome === "later") return { sent, isSettled: false };
    if (outcome === "done") sent += 1;
    else if (!(await giveBack(waiting, outcome.why))) return { sent, isSettled: false };
    await remove(waiting);
  }
  return { sent, isSettled: true };
}
