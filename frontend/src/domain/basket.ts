import { type BasketLine, isSettled, newState, ordered, type SyncState } from "./basket-merge";
import { LINES, parsed, readLines, readState, STATE, storeLines, storeState } from "./basket-state";
import { listenersOf } from "./listeners";
import { storedText } from "./stored-text";
import { uuid4 } from "./uuid";

export type { BasketLine };

/** What came back at a sign-in: when it was edited last, its pieces by SKU, and which of its lines were short even then. */
export interface Restored {
  readonly since: string;
  readonly counts?: Readonly<Record<string, number>>;
  readonly short: readonly string[];
}

type Prices = Readonly<Record<string, number>>;

const PRICES = "basket-prices";
const RESTORED = "basket-restored";
const NO_LINES: readonly BasketLine[] = [];
const listeners = listenersOf();

const readPrices = (): Prices => (parsed(storedText.get(PRICES)) ?? {}) as Prices;

function storePrices(lines: readonly BasketLine[], prices: Prices): void {
  const entries = lines
    .map(({ sku }) => [sku, prices[sku]])
    .filter(([, price]) => price !== undefined);
  storedText.set(PRICES, JSON.stringify(Object.fromEntries(entries)));
}

function tell(): void {
  // What came back is told for as long as some of it may be there.
  if (readLines().length === 0) storedText.remove(RESTORED);
  listeners.tell();
}

function store(lines: readonly BasketLine[], prices = readPrices()): void {
  storeLines(lines);
  storePrices(lines, prices);
  tell();
}

/**
 * The basket: a list of `{sku, count}` in local storage, written at every change, until the order is
 * made or the buyer cancels at the checkout. Beside it, the unit prices (US dollars) at which the
 * products were chosen, so that a changed price can be told, and what the server is known to have.
 */
export const basket = {
  subscribe,
  lines: readLines,
  chosenPrices: readPrices,
  add(sku: string, count: number, price: number): void {
    const others = readLines().filter((line) => line.sku !== sku);
    store([...others, { sku, count }], { ...readPrices(), [sku]: price });
  },
  setCount(sku: string, count: number): void {
    const change = (line: BasketLine) => (line.sku === sku ? { sku, count } : line);
    store(readLines().map(change));
  },
  remove(skus: readonly string[]): void {
    store(readLines().filter((line) => !skus.includes(line.sku)));
  },
  /** Puts lines back that are not there any more, at the prices (US dollars) at which they were chosen. */
  putBack(lines: readonly (BasketLine & { readonly usd_supply: number })[]): void {
    const now = readLines();
    const missing = lines.filter(({ sku }) => !now.some((line) => line.sku === sku));
    const prices = Object.fromEntries(missing.map(({ sku, usd_supply }) => [sku, usd_supply]));
    const added = missing.map(({ sku, count }) => ({ sku, count }));
    store([...now, ...added], { ...readPrices(), ...prices });
  },
  replace: store,
  /**
   * Empties or replaces the basket by `change`, and returns what takes that back: the former lines,
   * but for those that were edited or added since.
   */
  undoable(change: () => void): () => void {
    const [lines, prices] = [readLines(), readPrices()];
    change();
    const after = readLines();
    return () => {
      const isNew = ({ sku, count }: BasketLine) =>
        !after.some((line) => line.sku === sku && line.count === count);
      const since = readLines().filter(isNew);
      const former = lines.filter(({ sku }) => !since.some((line) => line.sku === sku));
      store([...former, ...since], { ...prices, ...readPrices() });
    };
  },
  clear: () => store(NO_LINES),
  /** Resolves once the server has what was edited, or after so many milliseconds. */
  settled(milliseconds: number): Promise<void> {
    return new Promise((done) => {
      const end = () => {
        clearTimeout(timer);
        unsubscribe();
        done();
      };
      const look = () => {
        const state = readState();
        if (!state || isSettled(state)) end();
      };
      const timer = setTimeout(end, milliseconds);
      const unsubscribe = subscribe(look);
      look();
    });
  },
  /** An order has taken its lines out of the server's basket, or they went with the cancelled checkout. */
  ordered(): void {
    const state = readState();
    if (state) storeState(ordered(state));
    else storeLines(NO_LINES);
    storePrices(readLines(), readPrices());
    tell();
  },
};

/** The notice of a basket that came back, until it is dismissed. As text, so that it is the same while it is the same. */
export const restoredBasket = {
  text: (): string | null => storedText.get(RESTORED),
  dismiss(): void {
    storedText.remove(RESTORED);
    tell();
  },
};

/** What the synchronisation of the basket needs of it. */
export const basketState = {
  get: readState,
  /** Begins for a buyer, with the lines that are there. */
  begin(owner: string): void {
    if (!readState()) storeState(newState(owner, uuid4(), readLines()));
  },
  /** Stores what came of an answer, with prices of lines that were chosen elsewhere. */
  set(state: SyncState, prices: Prices = {}): void {
    const before = readLines();
    storeState(state);
    storePrices(state.lines, { ...prices, ...readPrices() });
    if (before !== readLines() || !state.sent) tell();
  },
  noteRestored(restored: Restored): void {
    storedText.set(RESTORED, JSON.stringify(restored));
    tell();
  },
  /** Nothing of a buyer stays in this browser. */
  forget(): void {
    for (const key of [STATE, LINES, PRICES, RESTORED]) storedText.remove(key);
    tell();
  },
  /** Whether a screen shows the basket. */
  isWatched: () => listeners.count() > 1,
};

/** Calls `changed` at every change of the basket, in other tabs too. Returns what ends it. */
function subscribe(changed: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === LINES || event.key === STATE || event.key === null) changed();
  };
  const unsubscribe = listeners.subscribe(changed);
  window.addEventListener("storage", onStorage);
  return () => {
    unsubscribe();
    window.removeEventListener("storage", onStorage);
  };
}
