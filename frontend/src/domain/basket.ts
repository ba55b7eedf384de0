/** A product in the basket and how many pieces of it. */
export interface BasketLine {
  readonly sku: string;
  readonly count: number;
}

const LINES = "basket";
const PRICES = "basket-prices";
const NO_LINES: readonly BasketLine[] = [];
const NO_PRICES: Readonly<Record<string, number>> = {};
const listeners = new Set<() => void>();

/** Reads a stored value; the same object again while the stored text is the same. */
function stored<Value>(key: string, empty: Value, parse: (value: unknown) => Value): () => Value {
  let lastText: string | null = null;
  let last = empty;
  return () => {
    const text = localStorage.getItem(key);
    if (text !== lastText) {
      lastText = text;
      try {
        last = text ? parse(JSON.parse(text)) : empty;
      } catch {
        last = empty;
      }
    }
    return last;
  };
}

const readLines = stored(LINES, NO_LINES, (value) =>
  Array.isArray(value) ? value.filter(isLine).map(({ sku, count }) => ({ sku, count })) : NO_LINES,
);
const readPrices = stored(PRICES, NO_PRICES, (value) =>
  typeof value === "object" && value !== null ? (value as Record<string, number>) : NO_PRICES,
);

function isLine(value: unknown): value is BasketLine {
  const { sku, count } = (value ?? {}) as Partial<BasketLine>;
  return typeof sku === "string" && Number.isSafeInteger(count) && Number(count) > 0;
}

function store(lines: readonly BasketLine[], prices: Readonly<Record<string, number>>): void {
  const kept = lines
    .map(({ sku }) => [sku, prices[sku]])
    .filter(([, price]) => price !== undefined);
  localStorage.setItem(LINES, JSON.stringify(lines));
  localStorage.setItem(PRICES, JSON.stringify(Object.fromEntries(kept)));
  for (const listener of listeners) listener();
}

/**
 * The basket: a list of `{sku, count}` in local storage, written at every change, until the order is
 * made or the buyer cancels at the checkout. Beside it, the unit prices (US dollars) at which the
 * products were chosen, so that a changed price can be told.
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
    store(readLines().map(change), readPrices());
  },
  remove(skus: readonly string[]): void {
    store(
      readLines().filter((line) => !skus.includes(line.sku)),
      readPrices(),
    );
  },
  replace(lines: readonly BasketLine[], prices: Readonly<Record<string, number>>): void {
    store(lines, prices);
  },
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
  clear(): void {
    store(NO_LINES, NO_PRICES);
  },
};

/** Calls `changed` at every change of the basket, in other tabs too. Returns what ends it. */
function subscribe(changed: () => void): () => void {
  const onStorage = (event: StorageEvent) => {
    if (event.key === LINES || event.key === null) changed();
  };
  listeners.add(changed);
  window.addEventListener("storage", onStorage);
  return () => {
    listeners.delete(changed);
    window.removeEventListener("storage", onStorage);
  };
}
