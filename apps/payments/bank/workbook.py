"""A bank's export as a workbook, .xls or .xlsx: its first sheet as rows of texts, read in a process
of its own.
"""

import io
from collections.abc import Sequence
from datetime import date
from decimal import Decimal

from apps.common.tables.cells import Cell, Unreadable, written_plainly
from apps.common.tables.spreadsheets import OLD_OFFICE, SpreadsheetRefused, read_rows
from apps.payments.bank.lines import MAX_BYTES, MAX_LINES, StatementRefused

ZIP = b"PK\x03\x04"


def is_workbook(content: bytes) -> bool:
    """Return whether a file begins like a workbook."""
    return content.startswith((ZIP, OLD_OFFICE))


def workbook_rows(content: bytes) -> list[Sequence[str]]:
    """Return the rows of the first sheet, blank ones included, so that each keeps its number.

    Raises:
        StatementRefused: encrypted, damaged, made to harm, or too many rows.
    """
    name = "statement.xls" if content.startswith(OLD_OFFICE) else "statement.xlsx"
    rows: list[Sequence[str]] = []
    try:
        for row in read_rows(
            io.BytesIO(content), name=name, max_rows=MAX_LINES, max_bytes=MAX_BYTES, old=True
        ):
            rows += [()] * (row.number - 1 - len(rows)) if row.number <= MAX_LINES else []
            rows.append([_text(cell) for cell in row.cells])
    except SpreadsheetRefused as refusal:
        raise StatementRefused(str(refusal)) from refusal
    return rows


def _text(cell: Cell) -> str:
    match cell:
        case None:
            return ""
        case Decimal():
            return f"{cell:f}"
        case date():
            return cell.isoformat()
        case Unreadable():
            return cell.text
    return written_plainly(str(cell))
