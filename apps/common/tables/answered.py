"""A table that somebody sent, given back with columns added at its right: everything else stays as
it was, to the byte.

A workbook's new cells are put into the bytes of its sheets by a process of its own
(`sheet_writer.py`), with the same guards as for reading: saved by a library it would lose its
pictures and more. Texts are never formulas.
"""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from pathlib import Path

from apps.common.tables.delimited import decoded_from, plain, rows_of
from apps.common.tables.spreadsheets import (
    BROKEN,
    SpreadsheetRefused,
    check_workbook,
    is_workbook,
    isolated,
)

WRITER = Path(__file__).with_name("sheet_writer.py")
Added = str | int | Decimal | None


@dataclass(frozen=True)
class AddedColumns:
    """Columns for a sheet: titles for the row of its headings, cells for rows by their numbers, and
    a row of totals, which is added where the sheet has none of its number.

    Without a name it is the first sheet that is shown, and the one of a CSV file; `head` is 0 where
    nothing heads it. Decimals look like the sheet's own column `money` (from 1, 0: none).
    """

    titles: Sequence[str]
    head: int
    rows: Mapping[int, Sequence[Added]]
    total: tuple[int, Sequence[Added]] | None = None
    sheet: str = ""
    money: int = 0


def with_columns(content: bytes, *, name: str, added: Sequence[AddedColumns]) -> bytes:
    """Return an XLSX or CSV file with columns added; only the new cells differ (and a sheet's
    extent, in a workbook).

    Raises:
        SpreadsheetRefused: a file that cannot be read, a sheet or row that it has not, or no room
            at the right.
    """
    if is_workbook(name):
        return _workbook(content, added)
    return _text(content, added[0]) if added else content


def _workbook(content: bytes, added: Sequence[AddedColumns]) -> bytes:
    file = io.BytesIO(content)
    check_workbook(file)
    sheets = [
        {
            **vars(one),
            "rows": [[number, list(map(_json, cells))] for number, cells in one.rows.items()],
            "total": one.total and [one.total[0], list(map(_json, one.total[1]))],
        }
        for one in added
    ]
    with isolated(WRITER, file, first=json.dumps(sheets).encode() + b"\n") as process:
        return b"".join(process.stdout or ())


def _json(cell: Added) -> object:
    if isinstance(cell, str) or cell is None:
        return cell
    is_money = isinstance(cell, Decimal)
    return {"n": f"{cell:f}" if is_money else cell, "is_money": is_money}


def _text(content: bytes, added: AddedColumns) -> bytes:
    decoded = decoded_from(content)
    if decoded is None:
        raise SpreadsheetRefused(BROKEN)
    text, encoding = decoded
    mark = "\ufeff" if text.startswith("\ufeff") else ""
    text = text.removeprefix(mark)
    delimiter, table = rows_of(text)
    lines = list(io.StringIO(text, newline=""))  # ended as CSV ends them
    try:
        widths = {number: len(row) for number, row in table}
    except csv.Error as error:
        raise SpreadsheetRefused(BROKEN) from error
    rows = {**added.rows, **({added.head: added.titles} if added.head else {})}
    width = max(widths.values(), default=0)
    if added.total:
        last, totals = added.total
        if any(map(str.strip, lines[last:])):
            last = len(lines) + 1
        if last > len(lines):
            end = "\r\n" if "\r\n" in text else "\n"
            lines[-1] = lines[-1].rstrip("\r\n") + end
            lines.append(end)
        if not lines[last - 1].strip():
            widths[last] = 1
        if last in widths:
            rows[last] = totals
    for number, cells in rows.items():
        if number not in widths:
            raise SpreadsheetRefused(BROKEN)
        line = lines[number - 1]
        body = line.rstrip("\r\n")
        gap = delimiter * (width - widths[number] + 1)
        lines[number - 1] = body + gap + _delimited(cells, delimiter) + line[len(body) :]
    return (mark + "".join(lines)).encode(encoding, "replace")


def _delimited(cells: Sequence[Added], delimiter: str) -> str:
    """Return cells as CSV; where a semicolon parts them, a comma begins the decimals."""
    text = io.StringIO()
    mark = "," if delimiter == ";" else "."
    texts = [
        plain(" ".join(cell.split()))
        if isinstance(cell, str)
        else ""
        if cell is None
        else f"{Decimal(cell):f}".replace(".", mark)
        for cell in cells
    ]
    csv.writer(text, delimiter=delimiter, lineterminator="").writerow(texts)
    return text.getvalue()
