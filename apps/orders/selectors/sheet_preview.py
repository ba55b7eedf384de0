"""A few rows of a buyer's sheet as it will be given back, before it is fetched."""

import io
from collections.abc import Collection, Sequence
from contextlib import closing
from decimal import Decimal

from apps.catalog.lists.columns import CODES, shown
from apps.catalog.lists.words import CARTONS, NAME, QTY
from apps.common.tables.answered import Added, AddedColumns
from apps.common.tables.cells import cell_at
from apps.common.tables.spreadsheets import Row, rows_of_tab
from apps.common.types import Json
from apps.orders.selectors.sent_sheets import EXPECTED, SUBSTITUTE, WHY

ROWS_OF_A_KIND = 3
WITHIN = 2_000  # rows: a long sheet is not read to its end
OFTEN_EMPTY = (SUBSTITUTE, EXPECTED)


def preview_of(content: bytes, *, name: str, added: AddedColumns, kinds: Sequence[str]) -> Json:
    """Return some rows of a sheet with their columns to be `added`: of those with everything and of
    the others.

    Of its own columns those that name the product and the quantity are shown; `kinds` says what
    each holds.
    """
    numbers, own = _chosen(added), _own_columns(kinds)
    found = _rows_at({*numbers, added.head} - {0}, content=content, name=name, tab=added.sheet)
    columns = [
        place
        for place, title in enumerate(added.titles)
        if title not in OFTEN_EMPTY or any(added.rows[number][place] for number in numbers)
    ]
    return {
        "head": added.head,
        "own": _own_cells(found.get(added.head), own),
        "added": [added.titles[place] for place in columns],
        "rows": [
            {
                "row": number,
                "own": _own_cells(found.get(number), own),
                "added": [_text(added.rows[number][place]) for place in columns],
            }
            for number in numbers
        ],
    }


def _chosen(added: AddedColumns) -> list[int]:
    """Return the first rows about which nothing is said, and the first of the others, as far as
    there are some.
    """
    why = list(added.titles).index(WHY)
    within = sorted(number for number in added.rows if number <= WITHIN)
    plain = [number for number in within if not added.rows[number][why]]
    others = [number for number in within if added.rows[number][why]]
    return sorted([*plain[:ROWS_OF_A_KIND], *others[:ROWS_OF_A_KIND]])


def _own_columns(kinds: Sequence[str]) -> list[int]:
    """Return the column that names the product, by a code if one does, and that of the quantity."""
    by_code, by_name, quantity = (
        [place for place, kind in enumerate(kinds) if kind in wanted]
        for wanted in (CODES, [NAME], [QTY, CARTONS])
    )
    return sorted([*(by_code or by_name)[:1], *quantity[:1]])


def _rows_at(numbers: Collection[int], *, content: bytes, name: str, tab: str) -> dict[int, Row]:
    found: dict[int, Row] = {}
    last = max(numbers, default=0)
    with closing(rows_of_tab(io.BytesIO(content), name=name, tab=tab)) as rows:
        for row in rows:
            if row.number in numbers:
                found[row.number] = row
            if row.number >= last:
                break
    return found


def _own_cells(row: Row | None, columns: Sequence[int]) -> list[str]:
    return [shown(cell_at(row.cells, place)) if row else "" for place in columns]


def _text(cell: Added) -> str:
    if cell is None:
        return ""
    return f"{cell:f}" if isinstance(cell, Decimal) else str(cell)
