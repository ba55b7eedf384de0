import { useEffect, useEffectEvent, useRef, useState } from "react";
import { listenersOf } from "@/domain/listeners";
import { localStore } from "./local-store";
import { toast } from "./ui/toasts";

/** A form that was filled in and not sent. */
export interface Draft<Value> {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly value: Value;
}

const LIFE_MS = 7 * 24 * 60 * 60 * 1000;
const LONGEST_READ_MS = 1000;

/** The form of a checkout that was left because of the stock: the buyer's next request takes it over. */
export const LEFT_CHECKOUT = "checkout:left";

const nameOf = (form: string) => `draft:${form}`;
const isOld = ({ at }: Draft<unknown>) => Date.now() - at > LIFE_MS;

/** Told the owner, the form and its value. */
const listeners = listenersOf<[string, string, string]>();

/** What is read, or null after a second: some browsers never answer. What it is stays where it was. */
export async function inTime<Value>(reading: Promise<Value>): Promise<Value | null> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<null>((resolve) => {
    timer = setTimeout(() => resolve(null), LONGEST_READ_MS);
  });
  return Promise.race([reading, late]).finally(() => clearTimeout(timer));
}

/** Forms by the buyer's uuid and a name. Nothing here throws: a browser that keeps nothing loses what a reload would. */
export const drafts = {
  /** What was kept; null for nothing. */
  async read<Value>(owner: string, form: string): Promise<Draft<Value> | null> {
    const reading = localStore.get<Draft<Value>>(owner, nameOf(form)).then((draft) => {
      // Those of all buyers of this browser.
      localStore
        .removeWhere((name, value) => name.startsWith(nameOf("")) && isOld(value as Draft<unknown>))
        .catch(console.error);
      return draft && !isOld(draft) ? draft : null;
    });
    return reading.catch(() => null);
  },

  /** Whether it was kept. */
  async keep<Value>(owner: string, form: string, value: Value): Promise<boolean> {
    const draft: Draft<Value> = { at: Date.now(), value };
    return localStore.set(owner, nameOf(form), draft).then(
      () => true,
      () => false,
    );
  },

  async forget(owner: string, form: string): Promise<void> {
    await localStore.remove(owner, nameOf(form)).catch(() => undefined);
  },

  /** What was kept of one form is another's now, as old as it was. */
  async move(owner: string, from: string, to: string): Promise<void> {
    const draft = await inTime(drafts.read(owner, from));
    if (!draft) return;
    const isMoved = localStore.set(owner, nameOf(to), draft);
    await isMoved.then(() => drafts.forget(owner, from), console.error);
  },

  /** Keeps a text beside what is typed already, in a form that is open as well. Whether it was kept. */
  async putBack(owner: string, form: string, text: string): Promise<boolean> {
    const before = (await drafts.read<string>(owner, form))?.value;
    // Twice, where the browser was closed in between.
    const value = before?.includes(text) ? before : [before, text].filter(Boolean).join("\n");
    const isKept = await drafts.keep(owner, form, value);
    if (isKept) listeners.tell(owner, form, value);
    return isKept;
  },

  subscribe: listeners.subscribe,
};

interface DraftOptions<Value> {
  /** The buyer's uuid. */
  owner: string;
  /** What is filled in: `message:MHW-261120-0431`. */
  form: string;
  initial: Value;
}

export type DraftForm<Value> = ReturnType<typeof useDraft<Value>>;

/** A form whose fields come back after a reload, Back or an expired session, until it is sent; every change is kept. */
export function useDraft<Value>({ owner, form, initial }: DraftOptions<Value>) {
  const [stored, setStored] = useState<Draft<Value> | null>();
  const [isLate, setLate] = useState(false);
  const [edited, setEdited] = useState<{ value: Value }>();
  const [isKept, setKept] = useState(false);
  const latest = useRef<{ value: Value }>(undefined);
  const edit = (next: Value) => {
    latest.current = { value: next };
    setEdited({ value: next });
  };

  useEffect(() => {
    let isOver = false;
    const reading = drafts.read<Value>(owner, form);
    void inTime(reading).then(() => setLate(true));
    void reading.then((draft) => {
      if (isOver) return;
      // Null where it was emptied meanwhile.
      setStored((before) => (before === null ? null : draft));
      if (draft) setKept(true);
    });
    return () => {
      isOver = true;
    };
  }, [owner, form]);

  const putBack = useEffectEvent((text: string) => {
    // Only a form that is one text is put back.
    edit(text as Value);
    setKept(true);
  });
  useEffect(
    () =>
      drafts.subscribe((whose, which, text) => {
        if (whose === owner && which === form) putBack(text);
      }),
    [owner, form],
  );

  const former = stored ? completed(stored.value, initial) : initial;
  const isRestored = !isSame(former, initial);
  const value = edited ? edited.value : former;

  const update = (change: (before: Value) => Value) => {
    const next = change(latest.current ? latest.current.value : value);
    edit(next);
    if (isSame(next, initial)) return forget();
    void drafts.keep(owner, form, next).then((success) => setKept(success && !!latest.current));
  };

  const forget = () => {
    setKept(false);
    void drafts.forget(owner, form);
  };

  const clear = () => {
    latest.current = undefined;
    setEdited(undefined);
    setStored(null);
    forget();
  };

  return {
    value,
    /** What was kept has been read, or is late: then it comes back while nothing new is typed. */
    isReady: stored !== undefined || isLate,
    /** Milliseconds since 1970, where the fields are those of an earlier visit. */
    restoredAt: isRestored ? stored?.at : undefined,
    /** Something is filled in that would come back. */
    isKept,
    update,
    /** Of a form with several fields. */
    change: (changes: Partial<Value>) => update((before) => ({ ...before, ...changes })),
    /** Sent: nothing is to come back. */
    forget,
    /** The same, and the form is as at first. */
    clear,
    /** The same by the buyer's wish; it can be undone. */
    startAfresh: () => {
      clear();
      toast("Draft discarded.", () => update(() => value));
    },
  };
}

/** The portal may have got another field since. */
function completed<Value>(value: Value, initial: Value): Value {
  return typeof initial === "object" ? { ...initial, ...value } : value;
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}
