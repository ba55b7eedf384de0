import { listenersOf } from "@/domain/listeners";

interface CurrentToast {
  readonly id: number;
  readonly text: string;
  /** Takes back what the text tells; the toast then has a button for it. */
  readonly undo?: (() => void) | undefined;
}

const LIFE_MS = 4000;
const UNDO_LIFE_MS = 10_000;
let current: CurrentToast | undefined;
let lastId = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const waiting: string[] = [];
const listeners = listenersOf();

function change(next: CurrentToast | undefined) {
  clearTimeout(timer);
  current = next;
  listeners.tell();
}

/** A short note for things that the specification does not name, such as a finished download. */
export function toast(text: string, undo?: () => void): void {
  lastId += 1;
  change({ id: lastId, text, undo });
  toasts.release();
}

/** The same for what happened by itself: it takes nobody's Undo away, and comes after it. */
export function toastAfter(text: string): void {
  if (current?.undo) waiting.push(text);
  else toast(text);
}

export const toasts = {
  subscribe: listeners.subscribe,
  current: () => current,
  /** Keeps the toast for as long as it is pointed at or focused. */
  hold: () => clearTimeout(timer),
  /** Lets the toast go after its time. */
  release: () => {
    clearTimeout(timer);
    if (current) timer = setTimeout(toasts.dismiss, current.undo ? UNDO_LIFE_MS : LIFE_MS);
  },
  dismiss: () => {
    change(undefined);
    const next = waiting.shift();
    if (next) toast(next);
  },
  undo: () => {
    const undo = current?.undo;
    toasts.dismiss();
    undo?.();
  },
};
