export interface BasketLine {
  readonly sku: string;
  readonly count: number;
}

/** What goes to the server at once: pieces of products from now on, 0 for removed. Sent again as it was. */
export interface Batch {
  readonly device: string;
  readonly sequence: number;
  readonly edits: readonly BasketLine[];
}

/** A buyer's basket on this device, and what the server is known to have of it. */
export interface SyncState {
  /** The buyer's uuid. */
  readonly owner: string;
  readonly device: string;
  /** The number of the last batch. */
  readonly sequence: number;
  /** The server's basket as it was last told, and its revision. */
  readonly base: readonly BasketLine[];
  readonly revision: number;
  /** A batch whose answer has not come: it may have arrived or not. */
  readonly sent: Batch | null;
  /** The basket as the buyer sees it. */
  readonly lines: readonly BasketLine[];
  /** Nothing has come from the server yet. */
  readonly fresh: boolean;
}

export function newState(owner: string, device: string, lines: readonly BasketLine[]): SyncState {
  const nothing = { base: [], revision: 0, sent: null, fresh: true };
  return { owner, device, sequence: 0, ...nothing, lines };
}

/** Lines with these edits: a known product keeps its place, a new one comes last. */
function apply(lines: readonly BasketLine[], edits: readonly BasketLine[]): readonly BasketLine[] {
  if (edits.length === 0) return lines;
  const counts = new Map(lines.map(({ sku, count }) => [sku, count]));
  for (const { sku, count } of edits) {
    if (count > 0) counts.set(sku, count);
    else counts.delete(sku);
  }
  return [...counts].map(([sku, count]) => ({ sku, count }));
}

/** Lines where they stand on this screen, so that one that is put back keeps its place; others come last. */
function inPlace(lines: readonly BasketLine[], shown: readonly BasketLine[]): BasketLine[] {
  const places = new Map(shown.map(({ sku }, place) => [sku, place]));
  const placeOf = ({ sku }: BasketLine) => places.get(sku) ?? shown.length;
  return lines.toSorted((one, other) => placeOf(one) - placeOf(other));
}

/** The edits that make one basket of the other. */
function diff(before: readonly BasketLine[], after: readonly BasketLine[]): readonly BasketLine[] {
  const counts = new Map(before.map(({ sku, count }) => [sku, count]));
  const edits = after.filter(({ sku, count }) => counts.get(sku) !== count);
  const skus = new Set(after.map(({ sku }) => sku));
  const removed = before.filter(({ sku }) => !skus.has(sku)).map(({ sku }) => ({ sku, count: 0 }));
  return [...edits, ...removed];
}

/** What was edited and is not on its way yet. */
export function unsent({ base, sent, lines }: SyncState): readonly BasketLine[] {
  return diff(apply(base, sent?.edits ?? []), lines);
}

/** Whether the server has what was edited. */
export const isSettled = (state: SyncState): boolean => !state.sent && unsent(state).length === 0;

/** Makes a batch of what was edited, unless an earlier one still waits for its answer. */
export function prepare(state: SyncState): SyncState {
  const edits = unsent(state);
  if (state.sent || edits.length === 0) return state;
  const sequence = state.sequence + 1;
  return { ...state, sequence, sent: { device: state.device, sequence, edits } };
}

/** The state once a batch was answered. `lines` is null where the server has what this device had, with the batch. */
export function answered(
  state: SyncState,
  batch: Batch,
  { revision, lines }: { revision: number; lines: readonly BasketLine[] | null },
): SyncState {
  const { sent } = state;
  if (sent?.device !== batch.device || sent.sequence !== batch.sequence) return state;
  const base = lines ?? apply(state.base, sent.edits);
  const now = inPlace(apply(base, unsent(state)), state.lines);
  return { ...state, revision, base, sent: null, fresh: false, lines: now };
}

/** The state once the server's basket was read, with what was edited meanwhile. Never while a batch is on its way. */
export function pulled(
  state: SyncState,
  { revision, lines }: Pick<SyncState, "revision" | "lines">,
): SyncState {
  if (state.sent) return state;
  const now = inPlace(apply(lines, unsent(state)), state.lines);
  return { ...state, revision, base: lines, fresh: false, lines: now };
}

/** The state once an order has taken its lines: the server says what is left. What was edited since stays. */
export function ordered(state: SyncState): SyncState {
  const lines = apply(apply([], state.sent?.edits ?? []), unsent(state));
  return { ...state, base: [], revision: 0, lines };
}

/** What the server may not have, as batches that can be sent from anywhere. */
export function waiting(state: SyncState): readonly Batch[] {
  const { sent } = state;
  const rest = unsent(state);
  const next = Math.max(state.sequence, sent?.sequence ?? 0) + 1;
  const last = { device: state.device, sequence: next, edits: rest };
  return [...(sent ? [sent] : []), ...(rest.length > 0 ? [last] : [])];
}
