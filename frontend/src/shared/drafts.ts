import { kept } from "./local-store";

/** A form that was filled in and not sent. */
export interface Draft<Value> {
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly value: Value;
}

type PutBack = (owner: string, form: string, value: string) => void;

const LIFE_MS = 7 * 24 * 60 * 60 * 1000;
const LONGEST_READ_MS = 1000;
const log = (error: unknown) => console.error(error);
const nameOf = (form: string) => `draft:${form}`;
const isOld = ({ at }: Draft<unknown>) => Date.now() - at > LIFE_MS;

const listeners = new Set<PutBack>();

/** Those of all buyers of this browser. */
async function forgetOld(): Promise<void> {
  const isOldDraft = (name: string, value: unknown) =>
    name.startsWith(nameOf("")) && isOld(value as Draft<unknown>);
  await kept.removeWhere(isOldDraft).catch(log);
}

/**
 * Forms by the buyer's uuid and a name, kept for seven days. Nothing here throws: a browser that keeps nothing loses what a
 * reload would lose.
 */
export const drafts = {
  /** What was kept; null for nothing, and for what cannot be read in a second. */
  async read<Value>(owner: string, form: string): Promise<Draft<Value> | null> {
    if (typeof indexedDB === "undefined") return null;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const late = new Promise<null>((done) => {
      timer = setTimeout(() => done(null), LONGEST_READ_MS);
    });
    const found = kept.get<Draft<Value>>(owner, nameOf(form)).then((draft) => {
      void forgetOld();
      return draft && !isOld(draft) ? draft : null;
    });
    return Promise.race([found, late])
      .catch(() => null)
      .finally(() => clearTimeout(timer));
  },

  /** Whether it was kept. */
  async keep<Value>(owner: string, form: string, value: Value): Promise<boolean> {
    const draft: Draft<Value> = { at: Date.now(), value };
    return kept.set(owner, nameOf(form), draft).then(
      () => true,
      () => false,
    );
  },

  async forget(owner: string, form: string): Promise<void> {
    await kept.remove(owner, nameOf(form)).catch(() => undefined);
  },

  /** Keeps a text beside what is typed already, in a form that is open as well. Whether it was kept. */
  async putBack(owner: string, form: string, text: string): Promise<boolean> {
    const typed = (await drafts.read<string>(owner, form))?.value;
    // Twice, where the browser was closed in between.
    const value = typed?.includes(text) ? typed : [typed, text].filter(Boolean).join("\n");
    const isKept = await drafts.keep(owner, form, value);
    if (isKept) for (const listener of listeners) listener(owner, form, value);
    return isKept;
  },

  subscribe(putBack: PutBack): () => void {
    listeners.add(putBack);
    return () => {
      listeners.delete(putBack);
    };
  },
};
