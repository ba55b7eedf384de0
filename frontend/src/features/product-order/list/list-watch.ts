import { api, unwrap } from "@/api/client";
import { toastAfter } from "@/shared/ui/toasts";
import { isComing, type ListInHand } from "./lists-in-hand";

const LOOK_MS = 3000;
const watched = new Set<string>();

/** Says in passing that a list is read, wherever the buyer is by then; the order page shows it by itself. */
export function watchList({ uuid }: ListInHand): void {
  if (watched.size === 0) setTimeout(look, LOOK_MS);
  watched.add(uuid);
}

async function look(): Promise<void> {
  try {
    const { lists } = unwrap(await api.GET("/basket/lists"));
    for (const uuid of watched) {
      const list = lists.find((one) => one.uuid === uuid);
      if (list && isComing(list)) continue;
      watched.delete(uuid);
      if (list && window.location.pathname !== "/order") tell(list);
    }
  } catch {
    // Signed out, or no connection: the order page shows it later.
    watched.clear();
  }
  if (watched.size > 0) setTimeout(look, LOOK_MS);
}

function tell({ name, state }: ListInHand): void {
  const isReady = state === "ready";
  toastAfter(
    isReady ? `${name} is ready: check it under Product order` : `${name} could not be read`,
  );
}
