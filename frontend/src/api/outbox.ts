import { connection } from "@/shared/online";
import { type NewEntry, outbox } from "@/shared/outbox";
import { api, isUnanswered, unwrap } from "./client";

/** Sends what the buyer (a uuid) wrote, or keeps it to be sent later under the same key. Resolves to whether it was sent. */
export async function sendOrKeep(owner: string, entry: NewEntry): Promise<boolean> {
  if (connection.isOnline()) {
    try {
      await send(entry);
      return true;
    } catch (error) {
      if (!isUnanswered(error)) throw error;
    }
  }
  await outbox.add(owner, entry);
  return false;
}

/** Sends an entry of the outbox, once by its key. */
export async function send(entry: NewEntry): Promise<unknown> {
  if ("text" in entry) return sendText(entry);
  const params = { path: { basket: entry.kind === "basket" ? entry.id : entry.basket } };
  switch (entry.kind) {
    case "basket":
      return unwrap(await api.PUT("/baskets/{basket}", { params, body: entry.body }));
    case "basket-name":
      return unwrap(await api.PUT("/baskets/{basket}/name", { params, body: entry.body }));
    case "basket-gone":
      return unwrap(await api.DELETE("/baskets/{basket}", { params }));
  }
}

async function sendText({ kind, id, invoiceCode, text }: Extract<NewEntry, { text: string }>) {
  const header = { "Idempotency-Key": id };
  const params = { path: { invoice_code: invoiceCode }, header };
  if (kind === "message") {
    const body = { customer_memo: text };
    return unwrap(await api.PUT("/order/customer/memo/{invoice_code}", { params, body }));
  }
  const body = { ship_memo: text };
  return unwrap(await api.POST("/order/customer/ship-memo/{invoice_code}", { params, body }));
}
