/** The review of a list: its lines as the server judged them, and what the buyer has decided about their problems. */
import type { Schemas } from "@/api/client";
import { count as figure } from "@/domain/figures";

export type ReviewedLine = Schemas["ReviewedLine"];
export type LineProblem = Schemas["LineProblem"];
export type Fix = Schemas["Fix"];
export type ProblemCode = LineProblem["code"];
/** What the buyer has decided about a line, as the server keeps it. */
export type Decision = Schemas["LineDecision"];

/** What is decided, each by its line's row. */
export interface Decided {
  readonly decisions: Readonly<Record<number, Decision>>;
  /** The lines whose product or pieces the buyer gave, as they would be ordered now. */
  readonly chosen: Readonly<Record<number, ReviewedLine>>;
}

export const NOTHING_DECIDED: Decided = { decisions: {}, chosen: {} };

/** A line of the review with what is decided about it. */
export type ListLine = Readonly<ReturnType<typeof asDecided>>;

/** What a kind of problem is called, and what one click does to all that have a fix. In the order in which they are shown. */
const KINDS: readonly { code: ProblemCode; label: string; fixAll: string }[] = [
  { code: "which_product", label: "Which product?", fixAll: "" },
  { code: "unknown_sku", label: "Unknown SKU", fixAll: "" },
  { code: "hidden_row", label: "Hidden in your sheet", fixAll: "Order them too" },
  { code: "bad_quantity", label: "Quantity cannot be read", fixAll: "Use the suggestions" },
  { code: "other_carton", label: "Different carton size", fixAll: "Use the sheet's" },
  { code: "unavailable", label: "Not available now", fixAll: "" },
  { code: "short_stock", label: "Not enough in stock", fixAll: "Reduce to the stock" },
  { code: "below_moq", label: "Below the MOQ", fixAll: "Change to the MOQ" },
  { code: "not_multiple_of_moq", label: "Not a multiple", fixAll: "Round all" },
  { code: "sku_twice", label: "SKU in several rows", fixAll: "Keep the sums" },
  { code: "price_changed", label: "Price has changed", fixAll: "Accept the prices" },
];
/** Rows that the sheet's author hid: asked once for all of them. */
export const HIDDEN = "hidden_row" satisfies ProblemCode;

/** The lines with what is decided; a fix that is not offered any more, as for another price, is asked again. */
export function linesOf(reviewed: readonly ReviewedLine[], { decisions, chosen }: Decided) {
  const answers = new Set<number>();
  const lines = reviewed.map((one) => {
    const { row, rows, words, called } = one;
    const answer = decisions[row]?.sku ? chosen[row] : undefined;
    if (answer) answers.add(row);
    // The review of one code knows the first of its rows alone.
    const request = answer ? { ...answer, row, rows, words, called } : one;
    return asDecided(request, decisions[row], one.problems.length > 0);
  });
  const bySku = new Map<string, ListLine>();
  for (const line of lines) {
    const { product, row } = line.asked;
    if (product && !line.out && !answers.has(row)) bySku.set(product.sku, line);
  }
  return lines.map((line) => {
    const { product, row, problems } = line.asked;
    if (!product || line.out || !answers.has(row)) return line;
    const other = bySku.get(product.sku);
    if (!other) bySku.set(product.sku, line);
    // Pieces that are asked still are no sum yet.
    if (!other?.count || !line.count) return line;
    const repeated = { ...line.asked, problems: [...problems, twice(line, other)] };
    return asDecided(repeated, decisions[row], true);
  });
}

/** `isTroubled`: the server had a problem with it, which may be fixed since. */
function asDecided(asked: ReviewedLine, decision: Decision | undefined, isTroubled: boolean) {
  // What is wished for is left out too.
  const { out = false, wished = false, fixed = [] } = decision ?? {};
  const line = { asked, sku: asked.sku, count: asked.count, out, wished, isTroubled };
  const codes: ProblemCode[] = [];
  for (const { code, fix: text } of fixed) {
    const problem = asked.problems.find((one) => one.code === code);
    const fix = problem?.fixes.find((one) => one.text === text);
    if (!fix) continue;
    codes.push(code);
    line.count = fix.count ?? line.count;
  }
  return { ...line, fixed: codes };
}

/** The question whether an answer is meant beside another line of the same product. */
function twice({ count }: ListLine, other: ListLine): LineProblem {
  const sum = figure(other.count + count);
  return {
    code: "sku_twice",
    text: `${rowsName(other.asked.rows)} of your list also orders this product: ${figure(other.count)} there, ${figure(count)} here, together ${sum}.`,
    fixes: [{ text: "Keep both", count: null }],
  };
}

export type Change =
  | { does: "fix"; row: number; code: ProblemCode; fix: Fix }
  | { does: "choose"; row: number; reviewed: ReviewedLine }
  | { does: "skip" | "wish" | "put back"; row: number };

/** What is decided after one more change. */
export function decided({ decisions, chosen }: Decided, change: Change): Decided {
  const { row } = change;
  const before = decisions[row] ?? {
    ...{ row, out: false, wished: false, sku: "", count: 0, fixed: [] },
  };
  const now = (fields: Partial<Decision>, answers = chosen): Decided => ({
    decisions: { ...decisions, [row]: { ...before, ...fields } },
    chosen: answers,
  });
  if (change.does === "fix") {
    return now({ fixed: [...before.fixed, { code: change.code, fix: change.fix.text }] });
  }
  if (change.does === "choose") {
    const { reviewed } = change;
    const { product, count } = reviewed;
    return now({ sku: product?.sku ?? "", count, fixed: [] }, { ...chosen, [row]: reviewed });
  }
  return now({ out: change.does !== "put back", wished: change.does === "wish" });
}

/** What still has to be decided about a line; nothing once it is left out. */
export function openProblems(line: ListLine): readonly LineProblem[] {
  if (line.out) return [];
  return line.asked.problems.filter(({ code }) => !line.fixed.includes(code));
}

/** Whether something of a line still has to be decided: it is neither ordered nor left out. */
export const isOpen = (line: ListLine): boolean => openProblems(line).length > 0;

export function readyLines(lines: readonly ListLine[]) {
  return lines.flatMap((line) => {
    const { product } = line.asked;
    const ready = product && line.count > 0 && !line.out && !isOpen(line);
    return ready ? [{ product, count: line.count, line }] : [];
  });
}

/** The kinds of problems, `many` lines each: `fix` is the first fix of all, `skip` the other one; else they are left out. */
export function problemKinds(lines: readonly ListLine[]) {
  const open = lines.flatMap((line) =>
    openProblems(line).map((problem) => ({ row: line.asked.row, ...problem })),
  );
  return KINDS.flatMap(({ code, label, fixAll }) => {
    const these = open.filter((problem) => problem.code === code);
    if (these.length === 0) return [];
    const fixTo = (place: number) =>
      these.flatMap(({ row, fixes }): Change[] => {
        const fix = fixes[place];
        return fix ? [{ does: "fix", row, code, fix }] : [];
      });
    const fix = fixTo(0);
    const skip = these.map(
      ({ row, fixes: [, other] }): Change =>
        other ? { does: "fix", row, code, fix: other } : { does: "skip", row },
    );
    const all = fix.length > 0 ? { fixAll, fix } : { fixAll: "Skip all", fix: skip };
    return [{ code, label, many: these.length, skip, ...all }];
  });
}

/** Where a line's rows stand: `Row 4`, `Rows 4 and 9`, or the first and how many more. */
export function rowsName([first = 0, second, ...more]: readonly number[]): string {
  if (second === undefined) return `Row ${first}`;
  if (more.length > 0) return `Row ${first} and ${figure(more.length + 1)} more`;
  return `Rows ${first} and ${second}`;
}
