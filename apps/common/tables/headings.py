"""Where the headings of a table stand, over one row or several, and which column is what."""

import re
from collections.abc import Collection, Container, Iterator, Mapping, Sequence
from itertools import chain, islice
from typing import Any, NamedTuple, TypeVar

from apps.common.tables.cells import Cell, cell_at, currency_in, heading_key
from apps.common.tables.spreadsheets import Row, SpreadsheetRefused
from apps.common.texts import Text, joined

HEADINGS_WITHIN = 30  # rows that hold something
MOST_ROWS = 3
MOST_SEEN = 12
LEAST_REPEATED = 3  # headings of a table beside another
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


class Table(NamedTuple):
    """The rows below the headings, which column is what, the headings under the number of their
    last row, the rows that they stand in, further columns that could be a thing, and those that a
    kind reads by their own headings.
    """

    columns: Mapping[Any, int]
    rows: Iterator[Row]
    head: Row
    heads: Sequence[Row] = ()
    others: Mapping[Any, Sequence[int]] = {}
    own: Mapping[str, int] = {}

    def unread(self, things: Container[Any]) -> list[str]:
        """Return the headings of the columns that hold none of these things."""
        read = [index for thing, index in self.columns.items() if thing in things]
        read += self.own.values()
        cells = (cell for index, cell in enumerate(self.head.cells) if index not in read)
        return [" ".join(str(cell).split()) for cell in cells if cell is not None]


def find_columns(cells: Sequence[Cell], wanted: Mapping[Name, Sequence[str]]) -> dict[Name, int]:
    """Return which column of a row of headings is what.

    `wanted` names the headings that are accepted for each thing; where two columns carry headings
    of the same thing, the one that stands earlier in its list wins.
    """
    return _columns([[cell] for cell in cells], _places(wanted))


def find_table(
    rows: Iterator[Row],
    wanted: Mapping[Name, Sequence[str]],
    *,
    required: Collection[Name],
    names: Mapping[Name, str],
) -> Table:
    """Return the table whose headings stand in the first 30 rows that hold something: in up to
    three rows, the upper ones over several columns or in another language.

    `wanted` and the headings as in `find_columns`; `names` is what a missing column is called
    in the refusal.

    Raises:
        SpreadsheetRefused: no rows have all the `required` headings, or they have the same heading
            of those twice.
    """
    beginning = list(islice(rows, HEADINGS_WITHIN))
    places = _places(wanted)
    found: list[tuple[int, int, dict[Name, int]]] = []
    best: dict[Name, int] = {}
    for at in range(len(beginning)):
        for count in range(1, MOST_ROWS + 1):
            heads = beginning[at : at + count]
            columns: dict[Name, int] = _columns(_alternatives(heads), places)
            best = max(best, columns, key=len)
            has_all = all(name in columns for name in required)
            if len(heads) == count and has_all and _go_on(heads, columns, required, places):
                found.append((at, count, columns))
        if found and at >= found[0][0] + MOST_ROWS - 1:
            break
    if not found:
        raise _refusal(beginning, [names[name] for name in required if name not in best], places)

    def rank(one: tuple[int, int, dict[Name, int]]) -> tuple[int, int, int]:
        at, count, columns = one
        return len(columns), _say_something(beginning[at : at + count], places), -count

    at, count, columns = max(found, key=rank)
    heads = beginning[at : at + count]
    head = Row(heads[-1].number, _together(heads))
    _check_once(head, columns, wanted, names)
    ranked = _ranked(_alternatives(heads), places)
    others = {thing: ranks[1:] for thing, ranks in ranked.items()}
    return Table(columns, chain(beginning[at + count :], rows), head, heads, others)


def side_by_side(rows: Sequence[Row]) -> list[list[Row]]:
    """Return the rows of each table where two with the same headings stand beside each other."""
    for row in rows[:HEADINGS_WITHIN]:
        texts = [
            (i, heading_key(cell)) for i, cell in enumerate(row.cells) if isinstance(cell, str)
        ]
        half = len(texts) // 2
        if half < LEAST_REPEATED or [key for _, key in texts[:half]] != [
            key for _, key in texts[half:]
        ]:
            continue
        at = texts[half][0]
        halves = (
            [row._replace(cells=row.cells[:at]) for row in rows],
            [row._replace(cells=row.cells[at:]) for row in rows],
        )
        return [
            [row for row in one if any(cell is not None for cell in row.cells)] for one in halves
        ]
    return [list(rows)]


def _places(wanted: Mapping[Name, Sequence[str]]) -> Places:
    return {
        heading_key(name): (thing, place)
        for thing, names in wanted.items()
        for place, name in reversed(list(enumerate(names)))  # of one named twice the first
    }


def _ranked(headings: Sequence[Sequence[Cell]], places: Places) -> dict[Any, list[int]]:
    """Return which columns may be what, the likeliest first; `headings` are the whole of each and
    the parts that may say it too.
    """
    found: dict[Any, list[tuple[int, int]]] = {}
    for index, (whole, *parts) in enumerate(headings):
        known = _thing_of(whole, places)
        if known is None and parts:  # one below the other in two languages
            things = [_thing_of(part, places) for part in parts[1:]]
            known = things[0] if len({thing and thing[0] for thing in things}) == 1 else None
        if known is None and isinstance(whole, str) and not _means_other(whole, parts):
            unbracketed = IN_BRACKETS.sub(" ", whole)
            less = filter(None, (_thing_of(part, places) for part in (unbracketed, *parts)))
            known = next(((thing, place + LESS) for thing, place in less), None)
        if known is not None:
            found.setdefault(known[0], []).append((known[1], index))
    return {thing: [index for _, index in sorted(ranks)] for thing, ranks in found.items()}


def _columns(headings: Sequence[Sequence[Cell]], places: Places) -> dict[Any, int]:
    return {thing: ranks[0] for thing, ranks in _ranked(headings, places).items()}


def _means_other(whole: str, parts: Sequence[Cell]) -> bool:
    is_split = bool(parts) or IN_BRACKETS.search(whole)
    return bool(is_split) and (
        currency_in(whole) not in ("", "USD") or MEANS_OTHER.search(whole) is not None
    )


def _thing_of(cell: Cell, places: Places) -> tuple[Any, int] | None:
    """Return what a heading is of; one in two languages (`품번 / SKU`) where both mean the same."""
    if not isinstance(cell, str):
        return None
    if (known := places.get(heading_key(cell))) is not None:
        return known
    parts = [places.get(heading_key(part)) for part in re.split(r"[\n/]", cell) if part.strip()]
    first = parts[0] if parts else None
    is_one = first is not None and all(part is not None and part[0] == first[0] for part in parts)
    return first if is_one else None


def _stacks(heads: Sequence[Row]) -> Iterator[list[Cell]]:
    """Yield what stands in each column, from above; what stands over several columns, in each."""
    over: list[Cell] = [None] * len(heads)
    lowest = -1  # in the column before
    for index in range(max(len(row.cells) for row in heads)):
        own = [cell_at(row.cells, index) for row in heads]
        levels = [level for level, cell in enumerate(own) if cell is not None]
        for level, cell in enumerate(own):
            goes_on = bool(levels) and level < levels[0] and level < lowest
            over[level] = over[level] if goes_on else cell
        lowest = levels[-1] if levels else -1
        yield list(over)


def _together(heads: Sequence[Row]) -> tuple[Cell, ...]:
    """Return the headings of several rows as one."""
    if len(heads) == 1:
        return heads[0].cells
    stacks = ([str(cell) for cell in stack if cell is not None] for stack in _stacks(heads))
    return tuple(" ".join(dict.fromkeys(stack)) or None for stack in stacks)


def _alternatives(heads: Sequence[Row]) -> list[list[Cell]]:
    """Return each column's heading as a whole, then its parts from below that may say it alone."""
    if len(heads) == 1:
        return [[cell] for cell in heads[0].cells]
    found = []
    for index, (whole, stack) in enumerate(zip(_together(heads), _stacks(heads), strict=True)):
        lower = " ".join(str(cell) for cell in stack[1:] if cell is not None)
        own = [cell_at(row.cells, index) for row in reversed(heads)]
        found.append([whole, lower, *(cell for cell in own if cell is not None)])
    return found


def _say_something(heads: Sequence[Row], places: Places) -> int:
    """Return how many of the rows hold a heading that is known, by itself or with the others."""
    whole = _together(heads)
    return sum(
        any(
            cell is not None and (_thing_of(cell, places) or _thing_of(both, places))
            for cell, both in zip(row.cells, whole, strict=False)
        )
        for row in heads
    )


def _go_on(
    heads: Sequence[Row], columns: Mapping[Any, int], required: Collection[Any], places: Places
) -> bool:
    """Return whether rows below the first go on with its headings: they name no row."""
    for row in heads[1:]:
        for name in required:
            cell = cell_at(row.cells, columns[name])
            if cell is not None and (_thing_of(cell, places) or ("",))[0] != name:
                return False
        if any(not isinstance(cell, str | None) or is_number(cell) for cell in row.cells):
            return False
    return True


def is_number(cell: Cell) -> bool:
    """Return whether a cell is a number, or a text that begins as one."""
    return NUMBER.match(cell.strip()) is not None if isinstance(cell, str) else cell is not None


def _check_once(
    head: Row,
    columns: Mapping[Name, int],
    wanted: Mapping[Name, Sequence[str]],
    names: Mapping[Name, str],
) -> None:
    written = [
        (heading_key(cell), currency_in(cell)) if isinstance(cell, str) else ("", "")
        for cell in head.cells
    ]
    for name, index in columns.items():
        if written.count(written[index]) > 1:
            raise SpreadsheetRefused(
                Text(
                    "Two columns are called “%(heading)s”: which holds the %(column)s?",
                    heading=head.cells[index],
                    column=Text(names[name]),
                )
            )


def _refusal(rows: Sequence[Row], missing: Sequence[str], places: Places) -> SpreadsheetRefused:
    """Return what is said of rows without the headings: which are missing, and what there is."""
    if not rows:
        return SpreadsheetRefused(Text("The file holds no rows."))
    columns = joined(", ", [Text("“%(column)s”", column=Text(name)) for name in missing])

    def likeness(row: Row) -> tuple[int, int]:
        texts = [cell for cell in row.cells if isinstance(cell, str)]
        return len(_columns([[cell] for cell in texts], places)), min(len(texts), 3)

    row = max(rows, key=likeness)
    seen = [f"“{cell}”" for cell in row.cells if isinstance(cell, str)]
    if len(seen) < 2:  # a text alone is no heading
        return SpreadsheetRefused(
            Text("No row of headings with %(columns)s was found.", columns=columns)
        )
    more = ", …" if len(seen) > MOST_SEEN else ""
    return SpreadsheetRefused(
        Text(
            "No row of headings with %(columns)s was found; row %(row)s has %(seen)s.",
            columns=columns,
            row=row.number % 1_000_000,  # rows of further sheets are counted on from a million
            seen=", ".join(seen[:MOST_SEEN])[:300] + more,
        )
    )
