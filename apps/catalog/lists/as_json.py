"""What was read of a list as JSON: what is answered beside its lines, and the whole as
it is kept.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import MISSING, fields
from decimal import Decimal
from typing import Any, NamedTuple

from apps.catalog.lists.columns import TabColumns, shown
from apps.catalog.lists.order_list import OrderList
from apps.catalog.lists.rows import ListLine, PassedRow
from apps.common.tables.cells import cell_at
from apps.common.types import Json

FIELDS = [field.name for field in fields(ListLine)]
DEFAULTS = [field.default for field in fields(ListLine)]
ROW, COUNT, PRICE = map(FIELDS.index, ("row", "count", "price"))


class AskedRows(NamedTuple):
    """The pieces that each row of a list asks for; by tab its name with the row of its headings (0:
    none), and what its columns hold.
    """

    pieces: dict[int, int]
    heads: list[tuple[str, int]]
    kinds: list[Sequence[str]]


def rows_asked(read: OrderList) -> AskedRows:
    """Return what the rows of a list ask for."""
    return AskedRows(
        {line.row: line.count for line in read.lines},
        read.heads,
        [one.kinds for one in read.columns],
    )


def rows_asked_kept(kept: Json) -> AskedRows:
    """Return what the rows of a list that was kept ask for."""
    heads = [(name, head) for name, head in kept["heads"]]
    kinds = [one["kinds"] for one in kept["beside"]["columns"]]
    return AskedRows({values[ROW]: values[COUNT] for values in kept["lines"]}, heads, kinds)


def json_of_read(read: OrderList) -> Json:
    """Return a list as it is kept: `beside` is what is answered beside its lines, as `json_beside`.

    20,000 lines are 1.2 MB: of each what is nothing special is left out at its end.
    """
    lines = [_json_of_line(line) for line in read.lines]
    return {"lines": lines, "heads": read.heads, "beside": json_beside(read)}


def lines_of_json(kept: Json) -> list[ListLine]:
    """Return the lines of a list that was kept."""
    return [_line_of_json(values) for values in kept["lines"]]


def json_beside(read: OrderList) -> Json:
    """Return what is answered beside the lines: the tabs as their columns are shown, and what was
    passed over.
    """
    return {
        "without_quantity": read.without_quantity,
        "unread": [],
        "columns": [_columns(place, one) for place, one in enumerate(read.columns)],
        **json_of_passed(read.passed),
    }


def json_of_passed(rows: Iterable[PassedRow]) -> Json:
    """Return why rows are no lines of the order, how many for which reason, and of each reason the
    first rows.
    """
    rows = list(rows)
    whys = Counter(row.why for row in rows)
    return {
        "passed": [{"row": row.row, "text": row.text, "why": row.why} for row in rows if row.text],
        "passed_why": [{"why": why, "rows": count} for why, count in whys.most_common()],
    }


def _columns(place: int, tab: TabColumns) -> Json:
    """Return a tab as its columns are shown."""
    width = len(tab.kinds)
    return {
        "tab": place,
        "name": tab.name,
        "head": tab.head,
        "count": tab.count,
        "rows": [
            {
                "row": row.number,
                "cells": [shown(cell_at(row.cells, index)) for index in range(width)],
            }
            for row in tab.rows
        ],
        "kinds": tab.kinds,
        "carton": tab.carton,
        "asks": tab.asks,
        "is_remembered": tab.is_remembered,
    }


def _json_of_line(line: ListLine) -> list[Any]:
    values = [getattr(line, name) for name in FIELDS]
    values[PRICE] = None if line.price is None else str(line.price)
    last = max(
        index
        for index, default in enumerate(DEFAULTS)
        if default is MISSING or values[index] != default
    )
    return values[: last + 1]


def _line_of_json(values: Sequence[Any]) -> ListLine:
    line = [*values]
    if len(line) > PRICE and line[PRICE] is not None:
        line[PRICE] = Decimal(line[PRICE])
    return ListLine(*line)
