interface Shown {
  readonly id: number;
  readonly text: string;
}

const LIFE_MS = 4000;
let shown: Shown | undefined;
let lastId = 0;
let timer: ReturnType<typeof setTimeout> | undefined;
const listeners = new Set<() => void>();

function change(next: Shown | undefined) {
  shown = next;
  for (const listener of listeners) listener();
}

/** A short note for things that the specification does not name, such as a finished download. */
export function toast(text: string): void {
  lastId += 1;
  change({ id: lastId, text });
  clearTimeout(timer);
  timer = setTimeout(() => change(undefined), LIFE_MS);
}

export const toasts = {
  subscribe: (listener: () => void) => {
    listeners.add(listener);
    return () => {
      listeners.delete(listener);
    };
  },
  current: () => shown,
};
