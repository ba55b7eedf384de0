/** The queue of alerts and questions: one at a time, in the order in which they were shown. */
import { listenersOf } from "@/domain/listeners";

export interface Alert {
  readonly id: number;
  readonly text: string;
  readonly kind: "alert" | "done" | "question";
  /** The answer that has the focus first. */
  readonly first: "confirm" | "cancel";
  /** What had the focus when it was shown, to give it back. */
  readonly opener: Element | null;
  readonly answer: (confirmed: boolean) => void;
}

let queue: readonly Alert[] = [];
let hosts: readonly string[] = [];
let lastId = 0;
const listeners = listenersOf();

function change(next: readonly Alert[]) {
  queue = next;
  listeners.tell();
}

function ask(text: string, kind: Alert["kind"], first: Alert["first"]): Promise<boolean> {
  return new Promise((resolve) => {
    lastId += 1;
    const id = lastId;
    const answer = (confirmed: boolean) => {
      if (!queue.some((entry) => entry.id === id)) return;
      change(queue.filter((item) => item.id !== id));
      resolve(confirmed);
    };
    change([...queue, { id, text, kind, first, opener: document.activeElement, answer }]);
  });
}

/** Shows `text` with OK; resolves when OK or Escape is pressed, which is when redirects may follow. */
export async function alert(text: string): Promise<void> {
  await ask(text, "alert", "confirm");
}

/** An alert that says that something was done: the same, with a tick in the place of the warning. */
export async function alertSuccess(text: string): Promise<void> {
  await ask(text, "done", "confirm");
}

/** Asks with Confirm and Cancel. `destroys` puts the focus on Cancel first. */
export function confirm(text: string, { destroys = false } = {}): Promise<boolean> {
  return ask(text, "question", destroys ? "cancel" : "confirm");
}

/** Empties the queue; every open question counts as cancelled. */
export function dismissAlerts(): void {
  for (const entry of [...queue]) entry.answer(false);
}

export const alerts = {
  subscribe: listeners.subscribe,
  /** What `host` shows now: the head of the queue if it is the innermost host, else nothing. */
  currentOf: (host: string): Alert | undefined => (hosts.at(-1) === host ? queue[0] : undefined),
  /** Adds a place to show the queue in, above those that are there; returns how to take it away. */
  addHost: (host: string) => {
    hosts = [...hosts, host];
    listeners.tell();
    return () => {
      hosts = hosts.filter((other) => other !== host);
      listeners.tell();
    };
  },
};
