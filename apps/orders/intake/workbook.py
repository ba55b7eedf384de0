"""Stage one: a file or a pasted text is opened. A workbook is read in a process of its own, with
little time and memory (`apps/common/tables`).
"""

import io
from decimal import Decimal
from typing import NamedTuple

from apps.common.tables.cells import Unreadable, cell_at
from apps.common.tables.delimited import decoded
from apps.common.tables.spreadsheets import Row, SpreadsheetRefused, Tab, read_tabs

MAX_BYTES = 5 * 1024 * 1024
MAX_ROWS = 5_000
MAX_TEXT_BYTES = 1024 * 1024
MAX_TAB_ROWS = 20_000
PASTED = ".txt"
# Of the columns with which a sheet is given back (`answer.py`), and by which it is known again.
SKU, ORDERED, CONFIRMED, PRICE, AMOUNT = "SKU", "Ordered", "Confirmed", "Price", "Amount"
WHY, SUBSTITUTE, EXPECTED, BOXES = "Why not", "Substitute offered", "Expected", "Boxes"
TITLES = (SKU, ORDERED, PRICE, AMOUNT, WHY, SUBSTITUTE, EXPECTED)
NO_ROWS = "This file has no rows."
TOO_LONG = f"It has more than {MAX_ROWS:,} rows. Send it in parts."
TEXT_TOO_LONG = "A text has at most 1 MB. Send it in parts."
NO_TEXT = "The encoding of this text is not recognised. Please save it as UTF-8."


class Workbook(NamedTuple):
    """The tabs of a file; a text has one, whose rows are one cell each unless signs part them."""

    tabs: list[Tab]
    is_text: bool


def open_workbook(content: bytes, name: str) -> Workbook:
    """Return the rows of a file or text by its name.

    Raises:
        SpreadsheetRefused: it cannot be read, or has no rows.
    """
    if not name.lower().endswith(PASTED):
        file = io.BytesIO(content)
        tabs = read_tabs(file, name=name, max_rows=MAX_TAB_ROWS, max_bytes=MAX_BYTES)
        if not any(tab.rows for tab in tabs):
            raise SpreadsheetRefused(NO_ROWS)
        return Workbook(list(map(_without_spans, tabs)), is_text=False)
    if len(content) > MAX_TEXT_BYTES:
        raise SpreadsheetRefused(TEXT_TOO_LONG)
    text = decoded(content)
    if text is None:
        raise SpreadsheetRefused(NO_TEXT)
    if not text.strip():
        raise SpreadsheetRefused(NO_ROWS)
    lines = text.rstrip().splitlines()
    if len(lines) > MAX_ROWS:
        raise SpreadsheetRefused(TOO_LONG)
    filled = [line.strip() for line in lines if line.strip()]
    # A sign parts most lines that have anything, at least two of them.
    parted = {sign: sum(sign in line for line in filled) for sign in "\t;"}
    sign = next((sign for sign, n in parted.items() if n > 1 and 2 * n > len(filled)), "")
    cells = (line.split(sign) if sign else [line] for line in lines)
    rows = [
        Row(number, tuple(cell.strip() or None for cell in row))
        for number, row in enumerate(cells, 1)
    ]
    return Workbook([Tab("", rows)], is_text=not sign)


def _without_spans(tab: Tab) -> Tab:
    """Return a tab in which a number that stands beside several rows is no row's own."""
    rows = {row.number: row for row in tab.rows}
    for first, last, column in tab.spans:
        number = cell_at(rows[first].cells, column) if first in rows else None
        if not isinstance(number, int | Decimal):
            continue
        cell = Unreadable(f"{number:,} stands beside rows {first:,} to {last:,}")
        for row in filter(None, map(rows.get, range(first, min(last, first + MAX_ROWS) + 1))):
            cells = [*row.cells, *[None] * (column + 1 - len(row.cells))]
            cells[column] = cell
            rows[row.number] = row._replace(cells=tuple(cells))
    return tab._replace(rows=list(rows.values()))
