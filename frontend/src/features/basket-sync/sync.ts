import { isSessionEnd } from "@/api/client";
import { basket, basketState } from "@/domain/basket";
import { isSettled } from "@/domain/basket-merge";
import { alone } from "@/shared/local-store";
import { token } from "@/shared/token";
import { exchange, keep, sendWaiting, setAside } from "./exchange";

export { setAside };

const LOCK = "basket-sync";
const AFTER_EDIT_MS = 250;
const POLL_MS = 1200;
const QUIET_POLL_MS = 10_000;
const QUIET_AFTER_MS = 5 * 60_000;
const LONGEST_PAUSE_MS = 30_000;

/** Keeps this browser's basket and the server's alike while a buyer is signed in. Returns what ends it. */
export function startBasketSync(owner: string): () => void {
  const end = new AbortController();
  const { signal } = end;
  let running: Promise<void> | undefined;
  let timer: ReturnType<typeof setTimeout> | undefined;
  let failures = 0;
  let lastActive = Date.now();
  let hasWaiting = true;

  // Signed out in another tab: what is here is that tab's business.
  const isOver = () => signal.aborted || !token.get();
  const round = async () => {
    if (isOver()) return;
    if (hasWaiting) {
      await setAside().catch((error: unknown) => console.error(error));
      await sendWaiting(owner);
      hasWaiting = false;
      // Signed out meanwhile: nothing of the buyer is put back into the storage.
      if (isOver()) return;
    }
    if (basketState.get()?.owner !== owner) await begin(owner);
    await exchange(owner);
  };
  const plan = (milliseconds: number) => {
    clearTimeout(timer);
    if (!signal.aborted) timer = setTimeout(run, milliseconds);
  };
  const pause = () => {
    if (failures > 0) return Math.min(1000 * 2 ** failures, LONGEST_PAUSE_MS);
    const state = basketState.get();
    if (state && !isSettled(state)) return AFTER_EDIT_MS;
    return Date.now() - lastActive > QUIET_AFTER_MS ? QUIET_POLL_MS : POLL_MS;
  };
  const isNeeded = () => {
    const state = basketState.get();
    if (hasWaiting || !state || !isSettled(state)) return true;
    return basketState.isWatched() && document.visibilityState === "visible";
  };
  const run = () => {
    if (running || signal.aborted) return;
    if (!isNeeded()) return plan(pause());
    running = alone(LOCK, round)
      .then(() => {
        failures = 0;
      })
      .catch((error: unknown) => {
        failures += 1;
        if (!isSessionEnd(error)) console.error(error);
      })
      .finally(() => {
        running = undefined;
        plan(pause());
      });
  };
  const now = () => {
    lastActive = Date.now();
    failures = 0;
    plan(0);
  };
  const active = () => {
    lastActive = Date.now();
  };

  const unsubscribe = basket.subscribe(() => {
    if (!running && failures === 0) plan(AFTER_EDIT_MS);
  });
  for (const type of ["focus", "online"]) window.addEventListener(type, now, { signal });
  document.addEventListener("visibilitychange", now, { signal });
  for (const type of ["pointerdown", "keydown"]) window.addEventListener(type, active, { signal });
  plan(0);
  return () => {
    end.abort();
    clearTimeout(timer);
    unsubscribe();
  };
}

/** Begins for a buyer; what another buyer left in this browser waits for that buyer. */
async function begin(owner: string): Promise<void> {
  const other = basketState.get();
  if (other) {
    await keep(other);
    basketState.forget();
  }
  basketState.begin(owner);
}

/** Sends what was edited, if that takes no longer than this: before a sign-out. */
export async function flushBasket(owner: string, milliseconds: number): Promise<void> {
  const late = new Promise<void>((done) => {
    setTimeout(done, milliseconds);
  });
  const rounds = alone(LOCK, async () => {
    for (let state = basketState.get(); state?.owner === owner; state = basketState.get()) {
      if (isSettled(state)) return;
      await exchange(owner);
    }
  });
  await Promise.race([rounds, late]).catch((error: unknown) => console.error(error));
}
