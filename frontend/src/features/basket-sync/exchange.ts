import { ApiError, api, type Schemas, unwrap } from "@/api/client";
import { basketState } from "@/domain/basket";
import type { Batch, SyncState } from "@/domain/basket-merge";
import { answered, prepare, pulled, waiting } from "@/domain/basket-merge";
import { counted } from "@/domain/figures";
import { localStore } from "@/shared/local-store";
import { leftBasket } from "@/shared/token";
import { toastAfter } from "@/shared/ui/toasts";

type Line = Schemas["BasketLine"];

const WAITING = "basket";
const MAX_NAMED = 5;
const REFUSED = { revision: 0, lines: null };

/** Keeps what sign-out or expiry left behind, SKUs and pieces alone, for the next sign-in of its buyer. */
export async function setAside(): Promise<void> {
  const texts = leftBasket.get();
  for (const text of texts) await keep(JSON.parse(text) as SyncState);
  leftBasket.remove(texts);
}

export async function keep(state: SyncState): Promise<void> {
  const batches = waiting(state);
  if (batches.length === 0) return;
  await localStore.update<readonly Batch[]>(state.owner, WAITING, (before = []) => {
    const isKnown = (batch: Batch) =>
      before.some(({ device, sequence }) => device === batch.device && sequence === batch.sequence);
    return [...before, ...batches.filter((batch) => !isKnown(batch))];
  });
}

async function send(batch: Batch, revision: number) {
  const { device, sequence, edits } = batch;
  const body = { device, sequence, revision, edits: [...edits] };
  const call = await api.POST("/basket/edits", { body });
  // What can never be taken must not hold up what comes after it.
  if (call.response.status === 400) {
    console.error(new ApiError(400, call.error));
    return REFUSED;
  }
  const answer = unwrap(call);
  const [refused] = answer.refused;
  if (refused) {
    const skus = answer.refused.slice(0, MAX_NAMED).map(({ sku }) => sku);
    const more = answer.refused.length - skus.length;
    const names = `${skus.join(", ")}${more > 0 ? ` and ${counted(more, "more product")}` : ""}`;
    toastAfter(`${refused.message} Left out of the basket: ${names}`);
  }
  return answer;
}

/** Sends what has waited since an earlier session. */
export async function sendWaiting(owner: string): Promise<void> {
  const batches = await localStore.get<readonly Batch[]>(owner, WAITING).catch(() => undefined);
  if (!batches) return;
  for (const batch of batches) await send(batch, 0);
  const ids = new Set(batches.map(({ device, sequence }) => `${device} ${sequence}`));
  await localStore.update<readonly Batch[]>(owner, WAITING, (now = []) =>
    now.filter(({ device, sequence }) => !ids.has(`${device} ${sequence}`)),
  );
}

const pricesOf = (lines: readonly Line[]) =>
  Object.fromEntries(lines.map(({ sku, price }) => [sku, price]));
const linesOf = (lines: readonly Line[]) => lines.map(({ sku, count }) => ({ sku, count }));

/** One exchange with the server: what was edited goes up, or what others edited comes down. */
export async function exchange(owner: string): Promise<void> {
  const before = basketState.get();
  if (before?.owner !== owner) return;
  const ready = prepare(before);
  if (ready.sent) {
    basketState.set(ready);
    // As it is stored: where there was no room, the batch's device is the page's own.
    const { revision, lines } = await send(ready.sent, ready.revision);
    const now = basketState.get();
    if (now?.owner !== owner) return;
    const answer = { revision, lines: lines && linesOf(lines) };
    basketState.set(answered(now, ready.sent, answer), pricesOf(lines ?? []));
    return;
  }
  await pull(owner, before);
}

async function pull(owner: string, before: SyncState): Promise<void> {
  const headers = before.fresh ? {} : { "If-None-Match": `"${before.revision}"` };
  const call = await api.GET("/basket", { params: { header: headers } });
  if (call.response.status === 304) return;
  const { revision, edited_at, lines } = unwrap(call);
  const now = basketState.get();
  if (now?.owner !== owner || !lines) return;
  const isBack = now.fresh && now.lines.length === 0 && lines.length > 0 && edited_at !== null;
  basketState.set(pulled(now, { revision, lines: linesOf(lines) }), pricesOf(lines));
  if (isBack) {
    const short = lines.filter((line) => line.short === 1).map(({ sku }) => sku);
    const counts = Object.fromEntries(lines.map(({ sku, count }) => [sku, count]));
    basketState.noteRestored({ since: edited_at, counts, short });
  }
}
