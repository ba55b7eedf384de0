import type { QueryClient } from "@tanstack/react-query";
import { ApiError, api, isSessionEnd, isUncertain, unwrap } from "@/api/client";
import { drafts } from "@/shared/drafts";
import { alone } from "@/shared/local-store";
import { isTooOld, outbox, type SavedBasket, type Waiting } from "@/shared/outbox";
import { toastAfter } from "@/shared/ui/toasts";

/** It was done, it may be done another time, or why it never will be. */
type Outcome = "done" | "later" | { readonly why: string };

const TOO_OLD: Outcome = { why: "It waited for more than 7 days." };

/** What a call that is repeated came to. */
async function outcomeOf(call: Promise<unknown>): Promise<Outcome> {
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

/** Sends what waited, in the order it was written, each under its own key. Resolves to whether all is settled. */
export async function sendWaiting(owner: string, client: QueryClient): Promise<boolean> {
  const { sent: count, isSettled } = await alone("outbox", () => sendInOrder(owner));
  if (count > 0) {
    toastAfter("Sent.");
    void client.invalidateQueries();
  }
  return isSettled;
}

/** Sends one after another; what must wait holds up what was written after it. */
async function sendInOrder(owner: string) {
  let count = 0;
  for (const waiting of await outbox.list(owner)) {
    const outcome = isTooOld(waiting) ? TOO_OLD : await outcomeOf(send(waiting));
    if (outcome === "later") return { sent: count, isSettled: false };
    if (outcome === "done") count += 1;
    else if (!(await giveBack(owner, waiting, outcome.why)))
      return { sent: count, isSettled: false };
    await outbox.remove(owner, waiting);
  }
  return { sent: count, isSettled: true };
}

async function send(waiting: Waiting): Promise<unknown> {
  switch (waiting.kind) {
    case "basket":
      return saveBasket(waiting.id, waiting.body);
    case "basket-name":
      return nameBasket(waiting);
    case "basket-gone":
      return deleteBasket(waiting.basket);
    default:
      return say(waiting);
  }
}

async function say({ kind, id, invoiceCode, text }: Extract<Waiting, { text: string }>) {
  const header = { "Idempotency-Key": id };
  const params = { path: { invoice_code: invoiceCode }, header };
  if (kind === "message") {
    const body = { customer_memo: text };
    return unwrap(await api.PUT("/order/customer/memo/{invoice_code}", { params, body }));
  }
  const body = { ship_memo: text };
  return unwrap(await api.POST("/order/customer/ship-memo/{invoice_code}", { params, body }));
}

async function saveBasket(basket: string, body: SavedBasket) {
  return unwrap(await api.PUT("/baskets/{basket}", { params: { path: { basket } }, body }));
}

async function nameBasket({ basket, body }: Extract<Waiting, { kind: "basket-name" }>) {
  return unwrap(await api.PUT("/baskets/{basket}/name", { params: { path: { basket } }, body }));
}

async function deleteBasket(basket: string): Promise<void> {
  const call = await api.DELETE("/baskets/{basket}", { params: { path: { basket } } });
  // By the first try, whose answer was lost, or by another device.
  if (call.response.status !== 404) unwrap(call);
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
async function putByAsFormer(basket: string, body: SavedBasket, why: string): Promise<boolean> {
  const former: SavedBasket = { ...body, kind: "replaced", name: "", is_shared: 0 };
  const outcome: Outcome = await outcomeOf(saveBasket(basket, former));
  if (outcome === "later") return false;
  const note = outcome === "done" ? " It is kept among your former baskets." : "";
  toastAfter(`“${body.name || "A basket"}” could not be saved. ${why}${note}`);
  return true;
}
