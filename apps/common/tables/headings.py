"""Where the headings of a table stand, over one row or several, and which column is what."""

import re
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, islice
from typing import Any, NamedTuple, TypeVar

from apps.common.tables.cells import Cell, cell_at, currency_in, heading_key
from apps.common.tables.spreadsheets import HEADINGS_WITHIN, Row, SpreadsheetRefused
from apps.common.texts import Text, joined

MAX_QUOTED = 12
ENOUGH = 2  # headings that are known, for the rest to be asked
LESS = 1_000  # a heading that is known by a part of it counts less than any that is known whole
NUMBER = re.compile(r"(?:US)?[$₩]?\s*[+-]?[0-9][0-9.,]*(?![0-9A-Za-z가-힣])")
IN_BRACKETS = re.compile(r"[(\[（【].*?[)\]）】]|[*※]")
# What the rest of a heading must not say: it is of a box then, in another unit, or for a quantity.
MEANS_OTHER = re.compile(
    r"박스|카톤|팔레트|국내|면세|[0-9]|(?<![a-z])(box|carton|ctn|case|outer|inner|pallet|kg|kgs|oz|lbs?)s?(?![a-z])",
    re.IGNORECASE,
)

Name = TypeVar("Name")
Places = Mapping[str, tuple[Any, int]]
key_of_ours = lru_cache(4096)(heading_key)  # the same hundreds of names for every file


class NoHeadings(SpreadsheetRefused):
    """A table without the headings that it needs. Where a row has others of its kind, it is in
    `head`, and its sender may say which columns hold what is `missing`.
    """

    def __init__(self, text: Text, *, head: Row | None = None, missing: Sequence[Any] = ()) -> None:
        super().__init__(text)
        self.head, self.missing = head, missing


class Table(NamedTuple):
    """The rows below the headings, which column is what, the headings under the number of their
    last row, the rows that they stand in, further columns that could be a thing, the rows above,
    and the marks that begin decimals in columns of numbers.
    """

    columns: Mapping[Any, int]
    rows: Iterator[Row]
    head: Row
    heads: Sequence[Row] = ()
    others: Mapping[Any, Sequence[int]] = {}
    above: Sequence[Row] = ()
    marks: Mapping[Any, str] = {}

    def unread(self, things: Container[Any]) -> dict[int, str]:
        """Return the headings of the columns that hold none of these things, by their places."""
        used = [index for thing, index in self.columns.items() if thing in things]
        return {
            index: " ".join(str(cell).split())
            for index, cell in enumerate(self.head.cells)
            if cell is not None and index not in used
        }


def find_columns(cells: Sequence[Cell], headings: Mapping[Name, Sequence[str]]) -> dict[Name, int]:
    """Return which column of a row of headings is what.

    `headings` are those accepted for each thing; where two columns carry headings
    of the same thing, the one that stands earlier in its list wins.
    """
    ranked = _ranked([[cell] for cell in cells], _places(headings))
    return {thing: ranks[0] for thing, ranks in ranked.items()}


def find_table(
    rows: Iterator[Row],
    headings: Mapping[Name, Sequence[str]],
    *,
    required: Collection[Name],
    names: Mapping[Name, str],
) -> Table:
    """Return the table whose headings stand in the first 30 rows that hold something: in one row
    or two, the upper one over several columns or in another language.

    `headings` as in `find_columns`; `names` is what a missing column is called
    in the refusal.

    Raises:
        NoHeadings: no rows have all the `required` headings.
        SpreadsheetRefused: they have the same heading of those twice.
    """
    beginning = list(islice(rows, HEADINGS_WITHIN))
    places = _places(headings)
    tables: list[tuple[int, int, dict[Name, list[int]]]] = []
    best: dict[Name, list[int]] = {}
    for at, row in enumerate(beginning):
        for heads in ([row], beginning[at : at + 2])[: len(beginning) - at]:
            ranked: dict[Name, list[int]] = _ranked(_headings(heads), places)
            best = max(best, ranked, key=len)
            if ranked.keys() >= set(required) and _go_on(heads, ranked, required, places):
                tables.append((at, len(heads), ranked))
        if tables and at > tables[0][0]:
            break
    if not tables:
        missing = {name: names[name] for name in required if name not in best}
        raise _refusal(beginning, missing, places)

    def rank(one: tuple[int, int, dict[Name, list[int]]]) -> tuple[int, int, int]:
        at, count, ranked = one
        return len(ranked), _say_something(beginning[at : at + count], places), -count

    at, count, ranked = max(tables, key=rank)
    heads = beginning[at : at + count]
    head = Row(heads[-1].number, tuple(whole for whole, *_parts in _headings(heads)))
    columns = {thing: ranks[0] for thing, ranks in ranked.items()}
    _check_once(head, columns, names)
    others = {thing: ranks[1:] for thing, ranks in ranked.items()}
    rest = chain(beginning[at + count :], rows)
    return Table(columns, rest, head, heads, others, beginning[:at])


def _places(headings: Mapping[Name, Sequence[str]]) -> Places:
    return {
        key_of_ours(name): (thing, place)
        for thing, names in headings.items()
        for place, name in reversed(list(enumerate(names)))  # of one named twice the first
    }


def _ranked(headings: Sequence[Sequence[Cell]], places: Places) -> dict[Any, list[int]]:
    """Return which columns may be what, the likeliest first; `headings` are the whole of each and,
    of two rows, the cells of its own from below.
    """
    candidates: dict[Any, list[tuple[int, int]]] = {}
    for index, stack in enumerate(headings):
        whole, *parts = stack
        match = _thing_of(whole, places)
        things = [_thing_of(part, places) for part in parts]
        if match is None and len({thing and thing[0] for thing in things}) == 1:
            match = things[0]  # one below the other in two languages
        if match is None and isinstance(whole, str):
            less = (_thing_of(IN_BRACKETS.sub(" ", whole), places), *things)
            means_other = MEANS_OTHER.search(whole) or currency_in(whole) not in ("", "USD")
            if not (means_other and (parts or IN_BRACKETS.search(whole))):
                match = next(((one[0], one[1] + LESS) for one in less if one), None)
        if match is not None:
            candidates.setdefault(match[0], []).append((match[1], index))
    return {thing: [index for _, index in sorted(ranks)] for thing, ranks in candidates.items()}


def _thing_of(cell: Cell, places: Places) -> tuple[Any, int] | None:
    """Return what a heading is of; one in two languages (`품번 / SKU`) where both mean the same."""
    if not isinstance(cell, str):
        return None
    if (match := places.get(heading_key(cell))) is not None:
        return match
    parts = [places.get(heading_key(part)) for part in re.split(r"[\n/]", cell) if part.strip()]
    first = parts[0] if parts else None
    is_one = first is not None and all(part is not None and part[0] == first[0] for part in parts)
    return first if is_one else None


def _headings(heads: Sequence[Row]) -> list[list[Cell]]:
    """Return each column's heading as a whole and, of two rows, its own cells from below; what
    stands over several columns counts in each.
    """
    if len(heads) == 1:
        return [[cell] for cell in heads[0].cells]
    upper, lower = (row.cells for row in heads)
    headings: list[list[Cell]] = []
    over: Cell = None
    for index in range(max(len(upper), len(lower))):
        above, below = cell_at(upper, index), cell_at(lower, index)
        goes_on = above is None and below is not None and index
        over = over if goes_on and cell_at(lower, index - 1) is not None else above
        both = dict.fromkeys(str(cell) for cell in (over, below) if cell is not None)
        own = [cell for cell in (below, above) if cell is not None]
        headings.append([" ".join(both) or None, *own])
    return headings


def _say_something(heads: Sequence[Row], places: Places) -> int:
    """Return how many of the rows hold a heading that is known, by itself or with the others."""
    wholes = [str(whole) for whole, *_parts in _headings(heads)]
    matches = [
        _thing_of(one, places) or _thing_of(IN_BRACKETS.sub(" ", one), places) for one in wholes
    ]
    return sum(
        any(
            isinstance(cell, str)
            and (_thing_of(cell, places) or (both and IN_BRACKETS.sub("", cell).strip()))
            for cell, both in zip(row.cells, matches, strict=False)
        )
        for row in heads
    )


def _go_on(
    heads: Sequence[Row],
    ranked: Mapping[Any, Sequence[int]],
    required: Collection[Any],
    places: Places,
) -> bool:
    """Return whether a row below the first goes on with its headings: it names no row."""
    for row in heads[1:]:
        for name in required:
            cell = cell_at(row.cells, ranked[name][0])
            if cell is not None and (_thing_of(cell, places) or ("",))[0] != name:
                return False
        if any(not isinstance(cell, str | None) or is_number(cell) for cell in row.cells):
            return False
    return True


def is_number(cell: Cell) -> bool:
    """Return whether a cell is a number, or a text that begins as one."""
    return NUMBER.match(cell.strip()) is not None if isinstance(cell, str) else cell is not None


def _check_once(head: Row, columns: Mapping[Name, int], names: Mapping[Name, str]) -> None:
    headings = [
        (heading_key(cell), currency_in(cell)) if isinstance(cell, str) else ("", "")
        for cell in head.cells
    ]
    for name, index in columns.items():
        if headings.count(headings[index]) > 1:
            raise SpreadsheetRefused(
                Text(
                    "Two columns are called “%(heading)s”: which holds the %(column)s?",
                    heading=head.cells[index],
                    column=Text(names[name]),
                )
            )


def _refusal(rows: Sequence[Row], missing: Mapping[Any, str], places: Places) -> SpreadsheetRefused:
    """Return what is said of rows without the headings: which are missing, and what there is."""
    if not rows:
        return SpreadsheetRefused(Text("The file holds no rows."))
    columns = joined(", ", [Text("“%(column)s”", column=Text(name)) for name in missing.values()])

    def likeness(row: Row) -> tuple[int, int]:
        texts = [cell for cell in row.cells if isinstance(cell, str)]
        return len(_ranked([[cell] for cell in texts], places)), min(len(texts), 3)

    row = max(rows, key=likeness)
    headings = [f"“{cell}”" for cell in row.cells if isinstance(cell, str)]
    if len(headings) < 2:  # a text alone is no heading
        return NoHeadings(Text("No row of headings with %(columns)s was found.", columns=columns))
    more = ", …" if len(headings) > MAX_QUOTED else ""
    text = Text(
        "No row of headings with %(columns)s was found; row %(row)s has %(seen)s.",
        columns=columns,
        row=row.number % 1_000_000,  # rows of further sheets are counted on from a million
        seen=", ".join(headings[:MAX_QUOTED])[:300] + more,
    )
    likely, _texts = likeness(row)
    if not ENOUGH <= likely < len(headings):
        return NoHeadings(text)
    return NoHeadings(text, head=row, missing=list(missing))
