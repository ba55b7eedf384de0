import { type ReactNode, useRef, useState } from "react";
import { counted } from "@/domain/figures";
import { useOnChange } from "@/shared/effects";
import { useProblemWalk } from "@/shared/problem-walk";
import { Options, Select } from "./Field";
import { type Place, rankOf, rowsInView, useRanks, useRovingRows } from "./rows";
import { SearchField } from "./SearchField";
import { useVirtualRows } from "./use-virtual-rows";

const OVERSCAN = 6;
const SORTS = [
  ["problems", "Problems first"],
  ["added", "As added"],
  ["name", "Name"],
  ["amount", "Amount"],
] as const;
type Sort = (typeof SORTS)[number][0];

/** What a line is searched and sorted by. */
export interface LineFacts {
  readonly sku: string;
  /** What tells it from the others, where two have one SKU. */
  readonly key?: string;
  readonly name: string;
  /** What else it is found by. */
  readonly brand?: string;
  /** In US dollars, for sorting alone. */
  readonly amount: number;
  readonly isProblem: boolean;
}

export interface LongListProps<Line> {
  /** What they are the lines of: “basket”. */
  name: string;
  lines: readonly Line[];
  factsOf: (line: Line) => LineFacts;
  /** Height of most lines in px. */
  height: number;
  /** The cell of a line that the keys lead to first; lines without one are only looked at. */
  cell?: string;
  /** Whether the visitor chooses the order; else problems come first. */
  sortable?: boolean;
  /** Draws a line; it is the one `stop` of the Tab key or not. */
  children: (line: Line, place: Place, stop: boolean) => ReactNode;
}

/** Many lines: searched in place, problems first, drawn as far as visible. */
export function LongList<Line>(props: LongListProps<Line>) {
  const { name, lines, factsOf, height, cell = "", sortable, children } = props;
  const [search, setSearch] = useState("");
  const [sort, setSort] = useState<Sort>("problems");
  const tools = useRef<HTMLDivElement>(null);
  // The list gets shorter under what is typed, and the field would go out of sight.
  useOnChange(search || undefined, () => tools.current?.scrollIntoView({ block: "nearest" }));

  const all = lines.map((line) => ({ line, ...factsOf(line) }));
  const ranks = useRanks(`${sort} ${all.map(keyOf).join("\n")}`, () =>
    (sort === "added" ? all : all.toSorted(ORDERS[sort])).map(keyOf),
  );
  const place = (line: LineFacts) => rankOf(ranks, keyOf(line));
  const words = search.toLowerCase().split(/\s+/);
  const matches = all
    .filter(({ name, sku, brand = "" }) => {
      const text = `${name} ${sku} ${brand}`.toLowerCase();
      return words.every((word) => text.includes(word));
    })
    .sort((a, b) => place(a) - place(b));
  const { list, above, virtualizer } = useVirtualRows({
    count: matches.length,
    height,
    keyOf: (index) => (matches[index] ? keyOf(matches[index]) : index),
    overscan: OVERSCAN,
  });
  const roving = useRovingRows(list, rowsInView(virtualizer, matches.length), cell);
  useProblemWalk((step) => {
    const row = document.activeElement?.closest<HTMLElement>("[data-index]");
    const inside = row && list.current?.contains(row) ? Number(row.dataset.index) : undefined;
    const next = nextProblem(matches, inside, step);
    if (next === undefined || !list.current?.checkVisibility()) return false;
    roving.goTo(next, cell);
    return true;
  });

  return (
    <>
      <div
        ref={tools}
        className="flex flex-wrap gap-8 border-b border-line py-10 px-14
          [&>:first-child]:flex-1 [&>:first-child]:min-w-140"
      >
        <SearchField
          label={`Search ${name}`}
          value={search}
          onChange={(event) => setSearch(event.target.value)}
          onKeyDown={(event) => {
            // It may stand in a form, which it doesn't send.
            if (event.key === "Enter") event.preventDefault();
          }}
        />
        {sortable && (
          <Select
            aria-label={`Sort ${name} by`}
            value={sort}
            onChange={(event) => setSort(event.target.value as Sort)}
          >
            <Options of={SORTS} />
          </Select>
        )}
        <p role="status" className={search ? "w-full text-ink-3 text-13" : "sr-only"}>
          {search && `${counted(matches.length, "line")} found`}
        </p>
      </div>
      <ul
        ref={list}
        data-quantities
        className="relative [&>li]:absolute [&>li]:top-0 [&>li]:inset-x-0"
        style={{ height: virtualizer.getTotalSize() }}
        {...roving.listeners}
      >
        {virtualizer.getVirtualItems().map(({ index, start }) => {
          const line = matches[index]?.line;
          const measure = virtualizer.measureElement;
          const place = { index, of: matches.length, top: start - above, measure };
          return line && children(line, place, index === roving.stop);
        })}
      </ul>
    </>
  );
}

/** Place of the problem after, or before, the line that has the focus, round and round; undefined if there is none. */
function nextProblem(lines: readonly LineFacts[], inside: number | undefined, step: 1 | -1) {
  const all = lines.flatMap(({ isProblem }, index) => (isProblem ? [index] : []));
  if (step === 1) return all.find((index) => index > (inside ?? -1)) ?? all[0];
  return all.findLast((index) => index < (inside ?? 0)) ?? all.at(-1);
}

const ORDERS = {
  problems: (a: LineFacts, b: LineFacts) => Number(b.isProblem) - Number(a.isProblem),
  name: (a: LineFacts, b: LineFacts) => a.name.localeCompare(b.name),
  amount: (a: LineFacts, b: LineFacts) => b.amount - a.amount,
};

const keyOf = ({ key, sku }: LineFacts) => key ?? sku;
