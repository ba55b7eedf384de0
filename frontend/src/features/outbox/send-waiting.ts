import type { QueryClient } from "@tanstack/react-query";
import { ApiError, isSessionEnd, isUncertain } from "@/api/client";
import { send } from "@/api/outbox";
import { drafts } from "@/shared/drafts";
import { alone } from "@/shared/local-store";
import { isTooOld, type NewEntry, outbox, type SavedBasket, type Waiting } from "@/shared/outbox";
import { toastAfter } from "@/shared/ui/toasts";

/** It was done, it may be done another time, or why it never will be. */
type Outcome = "done" | "later" | { readonly why: string };

/** What an entry came to that is sent, and may have been before. */
async function outcomeOf(entry: NewEntry | Waiting): Promise<Outcome> {
  if ("at" in entry && isTooOld(entry)) return { why: "It waited for more than 7 days." };
  try {
    await send(entry);
    return "done";
  } catch (error) {
    // By the first try, whose answer was lost, or by another device.
    const isGone = error instanceof ApiError && error.status === 404;
    if (isGone && entry.kind === "basket-gone") return "done";
    const isFinal =
      error instanceof ApiError &&
      !isUncertain(error) &&
      !isSessionEnd(error) &&
      !error.isPassing &&
      error.status !== 429;
    return isFinal ? { why: error.message } : "later";
  }
}

/**
 * Sends what waited, in the order it was written, each under its own key; what must wait holds up what was written after
 * it. Resolves to whether all is settled.
 */
export async function sendWaiting(owner: string, client: QueryClient): Promise<boolean> {
  let sent = 0;
  const isSettled = await alone("outbox", async () => {
    for (const waiting of await outbox.list(owner)) {
      const outcome = await outcomeOf(waiting);
      if (outcome === "done") sent += 1;
      else if (outcome === "later" || !(await giveBack(owner, waiting, outcome.why))) return false;
      await outbox.remove(owner, waiting);
    }
    return true;
  });
  if (sent > 0) {
    toastAfter("Sent.");
    void client.invalidateQueries();
  }
  return isSettled;
}

/** Will never be sent: keeps what was written, and says so. False where it could not be kept, so that it goes on waiting. */
async function giveBack(owner: string, waiting: Waiting, why: string): Promise<boolean> {
  switch (waiting.kind) {
    case "basket":
      return putByAsFormer(waiting.id, waiting.body, why);
    case "basket-name":
      toastAfter(`“${waiting.body.name}” could not be saved. ${why}`);
      return true;
    case "basket-gone":
      toastAfter(`“${waiting.name}” could not be deleted. ${why}`);
      return true;
  }
  const { kind, invoiceCode, text } = waiting;
  const isKept = await drafts.putBack(owner, `${kind}:${invoiceCode}`, text);
  if (isKept) toastAfter(`Not sent on ${invoiceCode}, kept as a draft. ${why}`);
  return isKept;
}

/** A name may be taken meanwhile, or be one too many: there is always room among the former baskets. */
async function putByAsFormer(id: string, body: SavedBasket, why: string): Promise<boolean> {
  const former: SavedBasket = { ...body, kind: "replaced", name: "", is_shared: 0 };
  const outcome = await outcomeOf({ id, kind: "basket", body: former });
  if (outcome === "later") return false;
  const note = outcome === "done" ? " It is kept among your former baskets." : "";
  toastAfter(`“${body.name || "A basket"}” could not be saved. ${why}${note}`);
  return true;
}
