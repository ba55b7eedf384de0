import type { BasketLine, SyncState } from "./basket-merge";
import { storedText, type Texts } from "./stored-text";
import { uuid4 } from "./uuid";

export const LINES = "basket";
export const STATE = "basket-sync";
/** What `basket` holds while other lines are being stored: it still does if the browser is stopped between the two. */
const FORMER = "basket-former";
const NO_LINES: readonly BasketLine[] = [];

interface Snapshot {
  readonly texts: readonly (string | null)[];
  readonly state: SyncState | null;
  readonly lines: readonly BasketLine[];
}

/**
 * The basket as it is stored. State and lines are one text, so that a browser that is stopped leaves both or neither;
 * `basket` is the copy that the specification names. If somebody else has written that, it counts.
 */
export function basketIn(texts: Texts) {
  let last: Snapshot = { texts: [], state: null, lines: NO_LINES };

  /** The same objects while the texts are the same. */
  function read(): Snapshot {
    const now = [texts.get(STATE), texts.get(LINES)] as const;
    if (last.texts[0] === now[0] && last.texts[1] === now[1]) return last;
    const state = parsed(now[0]) as SyncState | null;
    const copy = linesIn(now[1]);
    const isCopyOfOthers = copy && mark(now[1]) !== texts.get(FORMER);
    const stored = (isCopyOfOthers ? copy : state?.lines) ?? copy ?? NO_LINES;
    const lines = JSON.stringify(stored) === JSON.stringify(last.lines) ? last.lines : stored;
    last = { texts: now, state: state && { ...state, lines }, lines };
    return last;
  }

  /** Stores a state and its lines. Where there is no room, the next batches are those of a device that ends with the page. */
  function storeState(state: SyncState): void {
    texts.set(FORMER, mark(texts.get(LINES)));
    const isStored = texts.set(STATE, JSON.stringify(state));
    if (!isStored) texts.set(STATE, JSON.stringify({ ...state, device: uuid4(), sequence: 0 }));
    if (texts.set(LINES, JSON.stringify(state.lines))) texts.remove(FORMER);
  }

  return {
    lines: (): readonly BasketLine[] => read().lines,
    state: (): SyncState | null => read().state,
    storeState,
    /** Stores lines, in the state as well where there is one. */
    storeLines(lines: readonly BasketLine[]): void {
      const { state } = read();
      if (state) storeState({ ...state, lines });
      else texts.set(LINES, JSON.stringify(lines));
    },
  };
}

/** The basket of this browser. */
export const { lines: readLines, state: readState, storeLines, storeState } = basketIn(storedText);

function isLine(value: unknown): value is BasketLine {
  const { sku, count } = (value ?? {}) as Partial<BasketLine>;
  return typeof sku === "string" && Number.isSafeInteger(count) && Number(count) > 0;
}

/** What a stored text holds; null for nothing, and for what is no JSON. */
export function parsed(text: string | null): unknown {
  try {
    return JSON.parse(text ?? "null");
  } catch {
    return null;
  }
}

/** The lines in a stored text, undefined where it holds no list. */
function linesIn(text: string | null): readonly BasketLine[] | undefined {
  const value = parsed(text);
  if (!Array.isArray(value)) return undefined;
  return value.filter(isLine).map(({ sku, count }) => ({ sku, count }));
}

/** A short mark by which a text is known again. */
function mark(text: string | null): string {
  let hash = 0;
  for (const letter of text ?? "") hash = (Math.imul(hash, 31) + letter.charCodeAt(0)) | 0;
  return `${text?.length ?? -1}:${hash}`;
}
