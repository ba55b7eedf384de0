/** The review of a list: its lines as the server judged them, and what the buyer has made of their problems since. */
import type { components } from "@/api/schema.gen";
import { type Cents, cents, sum, times } from "@/domain/money";
import { count as figure } from "@/domain/units";
import type { Product } from "../queries";
import { rowsName } from "./list-rows";

export type ReviewedLine = components["schemas"]["ReviewedLine"];
export type LineProblem = components["schemas"]["LineProblem"];
export type Fix = components["schemas"]["Fix"];
export type ProblemCode = LineProblem["code"];
/** What the buyer has decided of a line, as it is kept; the line is named by its row. */
export type Decision = components["schemas"]["LineDecision"];

export interface ListLine {
  readonly asked: ReviewedLine;
  /** What it is called and how many pieces, with the fixes so far. */
  readonly sku: string;
  readonly count: number;
  readonly fixed: readonly ProblemCode[];
  readonly out: boolean;
  /** It is left out, and kept among the wishes. */
  readonly wished: boolean;
  /** The product was chosen by the buyer, or its pieces were entered. */
  readonly isChosen: boolean;
  /** The fixes that were taken, by what their buttons said. */
  readonly taken: Decision["fixed"];
}

/** What a kind of problem is called, and what one click does to all that have a fix. In the order in which they are shown. */
const KINDS: readonly { code: ProblemCode; label: string; fixAll: string }[] = [
  { code: "which_product", label: "Found by name", fixAll: "Next question" },
  { code: "unknown_sku", label: "Unknown SKU", fixAll: "" },
  { code: "hidden_row", label: "Hidden in your sheet", fixAll: "Order them too" },
  { code: "lost_zeros", label: "Zeros missing in front of the SKU", fixAll: "Add the zeros" },
  { code: "bad_quantity", label: "Quantity cannot be read", fixAll: "Take the proposals" },
  { code: "other_carton", label: "Other pieces in a carton", fixAll: "Take the sheet's" },
  { code: "unavailable", label: "Cannot be ordered now", fixAll: "" },
  { code: "short_stock", label: "Not enough in stock", fixAll: "Change to what there is" },
  { code: "below_moq", label: "Below the MOQ", fixAll: "Change to the MOQ" },
  { code: "not_multiple_of_moq", label: "Not a multiple", fixAll: "Round all" },
  { code: "sku_twice", label: "SKU in several rows", fixAll: "Keep the sums" },
  { code: "price_changed", label: "Price has changed", fixAll: "Accept the prices" },
];
/** Which product somebody's words mean: the one problem that is a question. */
export const QUESTION = "which_product" satisfies ProblemCode;
/** Rows that the sheet's author hid: asked once for all of them. */
export const HIDDEN = "hidden_row" satisfies ProblemCode;

export interface ProblemKind {
  readonly code: ProblemCode;
  readonly label: string;
  /** Lines with an open problem of this kind. */
  readonly lines: number;
  /** What the one click does: the first fix of each, or leaving out what has none. */
  readonly fixAll: string;
}

export function fromReview(lines: readonly ReviewedLine[]): ListLine[] {
  return lines.map(asReviewed);
}

function asReviewed(asked: ReviewedLine): ListLine {
  return {
    asked,
    sku: asked.sku,
    count: asked.count,
    fixed: [],
    out: false,
    wished: false,
    isChosen: false,
    taken: [],
  };
}

/** What still has to be decided about a line; nothing once it is left out. */
export function openProblems(line: ListLine): readonly LineProblem[] {
  if (line.out) return [];
  return line.asked.problems.filter(({ code }) => !line.fixed.includes(code));
}

/** Whether it is still asked which product a line means. */
export function isQuestion(line: ListLine): boolean {
  return openProblems(line).some(({ code }) => code === QUESTION);
}

/** The lines that go into the basket. */
export function readyLines(
  lines: readonly ListLine[],
): { product: Product; count: number; line: ListLine }[] {
  return lines.flatMap((line) => {
    const { product } = line.asked;
    const ready = product && !line.out && openProblems(line).length === 0;
    return ready ? [{ product, count: line.count, line }] : [];
  });
}

export function problemKinds(lines: readonly ListLine[]): ProblemKind[] {
  const open = lines.flatMap(openProblems);
  return KINDS.flatMap(({ code, label, fixAll }) => {
    const these = open.filter((problem) => problem.code === code);
    if (these.length === 0) return [];
    const fixable = code === QUESTION || these.some(({ fixes }) => fixes.length > 0);
    return [{ code, label, lines: these.length, fixAll: fixable ? fixAll : "Leave all out" }];
  });
}

export type Change =
  | { does: "fix"; row: number; code: ProblemCode; fix: Fix }
  | { does: "choose"; row: number; reviewed: ReviewedLine }
  | { does: "fix all"; code: ProblemCode }
  | { does: "fix none"; code: ProblemCode }
  | { does: "leave out" | "wish" | "put back"; row: number };

/** The lines after a change; a line is named by its row, which no two lines share. */
export function changed(lines: readonly ListLine[], change: Change): ListLine[] {
  if (change.does === "fix all") return allFixed(lines, change.code);
  if (change.does === "fix none") return noneFixed(lines, change.code);
  return lines.map((line) => {
    if (line.asked.row !== change.row) return line;
    if (change.does === "fix") return fixed(line, change.code, change.fix);
    if (change.does === "choose") return besideOthers(chosen(line, change.reviewed), lines);
    return { ...line, out: change.does !== "put back", wished: change.does === "wish" };
  });
}

function fixed(line: ListLine, code: ProblemCode, { sku, count, text }: Fix): ListLine {
  return {
    ...line,
    sku: sku ?? line.sku,
    count: count ?? line.count,
    fixed: [...line.fixed, code],
    taken: [...line.taken, { code, fix: text }],
  };
}

/**
 * The line with the product that its code was said to mean; that it had none is a problem that is fixed. It keeps all
 * its rows: the review of one code knows the first alone.
 */
function chosen({ asked }: ListLine, reviewed: ReviewedLine): ListLine {
  const { words, called, rows } = asked;
  const answered: readonly ProblemCode[] = [QUESTION, "unknown_sku", "bad_quantity"];
  const unknown = asked.problems.filter(({ code }) => answered.includes(code));
  const problems = [...unknown, ...reviewed.problems];
  const line = asReviewed({ ...reviewed, rows, words, called, problems });
  return { ...line, fixed: unknown.map(({ code }) => code), isChosen: true };
}

/** The line with the question whether it is meant beside another line of the same product. */
function besideOthers(line: ListLine, lines: readonly ListLine[]): ListLine {
  const { asked } = line;
  const other = lines.find(
    ({ asked: { row, product }, out }) =>
      !out && row !== asked.row && product !== null && product.sku === asked.product?.sku,
  );
  if (!other) return line;
  const sum = figure(other.count + line.count);
  const text = `${rowsName(other.asked.rows)} of your list asks for this product too: ${figure(other.count)} there, ${figure(line.count)} here, together ${sum}.`;
  const fixes = [{ text: "Keep both", sku: null, count: null }];
  const problems = [...asked.problems, { code: "sku_twice" as const, text, fixes }];
  return { ...line, asked: { ...asked, problems } };
}

/** All lines with a problem as they are without what is asked: by its other fix, else left out. */
function noneFixed(lines: readonly ListLine[], code: ProblemCode): ListLine[] {
  return lines.map((line) => {
    const problem = openProblems(line).find((one) => one.code === code);
    if (!problem) return line;
    const [, other] = problem.fixes;
    return other ? fixed(line, code, other) : { ...line, out: true };
  });
}

function allFixed(lines: readonly ListLine[], code: ProblemCode): ListLine[] {
  const problemOf = (line: ListLine) => openProblems(line).find((one) => one.code === code);
  const fixable = lines.some((line) => problemOf(line)?.fixes.length);
  return lines.map((line) => {
    const problem = problemOf(line);
    if (!problem) return line;
    const [fix] = problem.fixes;
    if (fix) return fixed(line, code, fix);
    return fixable ? line : { ...line, out: true };
  });
}

export function totalOf(lines: readonly { product: Product; count: number }[]): Cents {
  return sum(lines.map(({ product, count }) => times(cents(product.usd_supply), count)));
}
