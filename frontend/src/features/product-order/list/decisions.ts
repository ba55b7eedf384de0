/** What the buyer has decided in a review: as it is kept, and put upon the review as it is later. */
import {
  changed,
  type Decision,
  type ListLine,
  openProblems,
  type ReviewedLine,
} from "./list-review";

/** What was decided of the lines so far, to be kept. */
export function decisionsOf(lines: readonly ListLine[]): Decision[] {
  return lines.flatMap(({ asked, out, wished, isChosen, taken }) => {
    if (!out && !isChosen && taken.length === 0) return [];
    const sku = isChosen && asked.product ? asked.product.sku : "";
    return [{ row: asked.row, out, wished, sku, count: sku ? asked.count : 0, fixed: [...taken] }];
  });
}

/**
 * The lines of a review once more with what was decided before; `chosen` are those whose product was chosen, as they
 * would be ordered now. What does not fit any more, as another price, is asked again.
 */
export function replayed(
  lines: readonly ListLine[],
  decisions: readonly Decision[],
  chosen: readonly ReviewedLine[],
): ListLine[] {
  const byRow = new Map(decisions.map((decision) => [decision.row, decision]));
  const isOut = ({ asked }: ListLine) => byRow.get(asked.row)?.out ?? false;
  const isWished = ({ asked }: ListLine) => byRow.get(asked.row)?.wished ?? false;
  // Of two lines of the same product it is asked only where both are wanted.
  let found = lines.map((line) => ({ ...line, out: isOut(line) }));
  for (const reviewed of chosen) {
    if (!reviewed.product) continue;
    found = changed(found, { does: "choose", row: reviewed.row, reviewed });
  }
  return found.map((line) => {
    const taken = byRow.get(line.asked.row)?.fixed ?? [];
    return {
      ...taken.reduce(retaken, { ...line, out: false }),
      out: isOut(line),
      wished: isWished(line),
    };
  });
}

/** The line with a fix that was taken before, if its button is still there and says the same. */
function retaken(line: ListLine, { code, fix: said }: Decision["fixed"][number]): ListLine {
  const problem = openProblems(line).find((one) => one.code === code);
  const fix = problem?.fixes.find(({ text }) => text === said);
  if (!fix) return line;
  const [fixed = line] = changed([line], { does: "fix", row: line.asked.row, code, fix });
  return fixed;
}
