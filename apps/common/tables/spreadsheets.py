"""Rows of an XLSX or CSV file that somebody sends, read without trust (reliability-and-security,
section 10).

A workbook is opened in a process of its own, with little to spend: a file that is made to hang, to
eat memory or to break its reader ends that process and nothing else. Rows come one at a time, none
is kept.
"""

import csv
import io
import json
import logging
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from django.utils.translation import gettext_noop as _

from apps.common.errors import PortalError
from apps.common.logs import log_event
from apps.common.storage.uploads import UnsafeFile, check_archive
from apps.common.tables.cells import (
    FORMULA,
    Cell,
    Shown,
    Unreadable,
    currency_in,
    plain_csv_text,
    shown_number,
    text_of,
)
from apps.common.tables.delimited import decoded, rows_of
from apps.common.texts import Text

logger = logging.getLogger("portal.uploads")

MAX_BYTES = 10 * 1024 * 1024
MAX_ROWS = 100_000
MAX_COLUMNS = 256
HEADINGS_WITHIN = 30  # rows that hold something
READER = Path(__file__).with_name("sheet_reader.py")
WITH_MACROS = "xlsm"
WORKBOOKS = ("xlsx", WITH_MACROS)
TEXT_EXTENSIONS = ("csv", "tsv", "txt")
OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
ENCRYPTED_PART = "EncryptedPackage".encode("utf-16-le")

BROKEN = _(
    "This workbook cannot be read: it is damaged, or not what it says it is. "
    "Save it again as .xlsx."
)
KINDS = _("Only .xlsx and .csv files can be read here.")
ENCRYPTED = _("This workbook is protected by a password. Save it without one.")
OLD = _("This is an Excel 97 workbook (.xls). Save it as .xlsx.")
MACROS = _("This workbook holds macros. Save it as .xlsx, without them.")


class SpreadsheetRefused(PortalError):
    """A file whose rows cannot be read, or not all of them; the message is a sentence for whoever
    sent it.
    """

    message = "This file cannot be read."

    def __init__(self, text: str | Text) -> None:
        self.text = text if isinstance(text, Text) else Text(text)
        super().__init__(file=str(self.text))

    def __str__(self) -> str:
        return str(self.text)


class Row(NamedTuple):
    """A row that holds something, under the number (or the line) that a spreadsheet shows beside
    it.
    """

    number: int
    cells: tuple[Cell, ...]
    is_hidden: bool = False  # these are told by `read_tabs` alone
    is_crossed_out: bool = False
    # The columns (from 0) of cells that are, or a part of them, and comments by their columns.
    crossed_out: Sequence[int] = ()
    comments: Sequence[tuple[int, str]] = ()


class Tab(NamedTuple):
    """The rows of a sheet that is shown, under its name; a text has one, without a name. A hidden
    one is not read.
    """

    name: str
    rows: list[Row]
    is_hidden: bool = False
    # First row, last row and column of each cell that reaches over several rows.
    spans: Sequence[tuple[int, int, int]] = ()


def read_rows(
    file: BinaryIO,
    *,
    name: str,
    max_rows: int = MAX_ROWS,
    max_bytes: int = MAX_BYTES,
    old: bool = False,
) -> Iterator[Row]:
    """Return the rows of an open CSV file, or of the first sheet of a workbook. Blank rows are left
    out.

    The extension of `name` and the content must agree; `old` takes workbooks in the .xls format
    too. What can be told at once is refused at once, the rest while the rows are read: whoever
    reads keeps nothing of a file that is refused on its last row.

    Raises:
        SpreadsheetRefused: too large, of another kind, encrypted, damaged, made to harm, or too
            many rows.
    """
    if file.seek(0, io.SEEK_END) > max_bytes:
        raise SpreadsheetRefused(
            Text("The file is larger than %(size)s MB.", size=max_bytes // 1024 // 1024)
        )
    file.seek(0)
    beginning = file.read(len(OLD_OFFICE))
    if beginning == OLD_OFFICE:
        if ENCRYPTED_PART in file.read():
            raise _refused(ENCRYPTED, "old office")
        if not old:
            raise _refused(OLD, "old office")
        return _at_most(_workbook_rows(file), max_rows)
    if not beginning.strip() and not file.read().strip():
        raise SpreadsheetRefused(Text("The file is empty."))
    extension = name.rpartition(".")[2].lower()
    if extension in WORKBOOKS:
        check_workbook(file, with_macros=extension == WITH_MACROS)
        rows = _workbook_rows(file)
    elif extension in TEXT_EXTENSIONS:
        file.seek(0)
        rows = _text_rows(_text(file.read()))
    else:
        raise _refused(KINDS, "kind")
    return _at_most(rows, max_rows)


def read_tabs(
    file: BinaryIO, *, name: str, max_rows: int = MAX_ROWS, max_bytes: int = MAX_BYTES
) -> list[Tab]:
    """Return the rows of all sheets of a workbook that are shown, or of a CSV file (`read_rows`),
    in memory.

    Behind them stand those that are hidden, without their rows.

    Raises:
        SpreadsheetRefused: as `read_rows`.
    """
    if not is_workbook(name):
        return [Tab("", list(read_rows(file, name=name, max_rows=max_rows, max_bytes=max_bytes)))]
    # Refuses what can be told at once.
    read_rows(file, name=name, max_rows=max_rows, max_bytes=max_bytes)
    tabs: list[Tab] = []
    with isolated(READER, file, "all") as process:
        for line in process.stdout or ():
            match json.loads(line):
                case str(name):
                    tabs.append(Tab(name, []))
                case {"spans": spans}:
                    tabs[-1] = tabs[-1]._replace(spans=spans)
                case {"hidden": name}:
                    tabs.append(Tab(name, [], is_hidden=True))
                case row if len(tabs[-1].rows) <= max_rows:
                    tabs[-1].rows.append(_row(*row))
                case _:
                    raise _too_many_rows(max_rows)
    return tabs


def _too_many_rows(most: int) -> SpreadsheetRefused:
    return _refused(Text("The file has more than %(count)s rows.", count=f"{most:,}"), "rows")


def _refused(text: str | Text, reason: str) -> SpreadsheetRefused:
    log_event("upload_rejected", reason=reason.replace(" ", "-"))
    return SpreadsheetRefused(text)


def _at_most(rows: Iterator[Row], count: int) -> Iterator[Row]:
    for place, row in enumerate(rows):
        if place > count:  # the headings are one row more
            raise _too_many_rows(count)
        yield row


def is_workbook(name: str) -> bool:
    """Return whether a file's name is that of a workbook which can be read."""
    return name.rpartition(".")[2].lower() in WORKBOOKS


def check_workbook(file: BinaryIO, *, with_macros: bool = False) -> None:
    """Check what the archive says of itself, before anything of it is unpacked.

    Raises:
        SpreadsheetRefused: no workbook, one with macros (unless `with_macros`: nobody runs them),
            or one made to harm.
    """
    file.seek(0)
    if file.read(2) != b"PK":
        raise _refused(BROKEN, "kind")
    try:
        names = zipfile.ZipFile(file).namelist()
        check_archive(file)
    except UnsafeFile as error:
        raise SpreadsheetRefused(BROKEN) from error
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError) as error:
        raise _refused(BROKEN, "archive") from error
    if not with_macros and any(name.lower().endswith("vbaproject.bin") for name in names):
        raise _refused(MACROS, "macros")


@contextmanager
def isolated(
    program: Path, source: BinaryIO, *arguments: str, first: bytes = b""
) -> Iterator[subprocess.Popen[bytes]]:
    """Start a program of ours that reads a file without trust: its standard input, behind `first`.

    Raises:
        SpreadsheetRefused: the program could not use the file.
    """
    with tempfile.TemporaryFile() as file:
        source.seek(0)
        file.write(first)
        shutil.copyfileobj(source, file)
        file.seek(0)
        # Isolated: neither the environment nor the working folder decides what the process imports.
        command = [sys.executable, "-I", str(program), *arguments]
        with subprocess.Popen(  # noqa: S603 - our own program; the file is its standard input
            command, stdin=file, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env={}
        ) as process:
            try:
                yield process
                complaints = process.stderr.read() if process.stderr else b""
                if process.wait():
                    last = complaints.decode("ascii", "replace").strip().rpartition("\n")[2]
                    raise _refused(BROKEN, last[:40] or f"signal{-process.returncode}")
            finally:
                process.kill()


def _workbook_rows(file: BinaryIO) -> Iterator[Row]:
    with isolated(READER, file) as process:
        yield from map(row_of_json, process.stdout or ())


def row_of_json(line: bytes) -> Row:
    """Return a row from a line of the reader (`sheet_reader.py` says its form)."""
    return _row(*json.loads(line))


def _row(number: int, cells: Sequence[object], *flags: Any) -> Row:
    return Row(number, tuple(map(_cell, cells)), *flags)


def json_of_row(row: Row) -> bytes:
    """Return a row as a line of the reader, for who keeps it."""
    number, cells, *flags = row
    return json.dumps([number, [_json_of_cell(cell) for cell in cells], *flags]).encode() + b"\n"


def _json_of_cell(cell: Cell) -> object:
    match cell:
        case Decimal():
            return {"n": str(cell)}
        case date():
            return {"d": cell.isoformat()}
        case Unreadable():
            return {"x": cell.text, "stored": _json_of_cell(cell.stored)}
    return cell


def _cell(value: Any) -> Cell:
    if not isinstance(value, dict):
        return value  # type: ignore[no-any-return]
    kind, text = next(iter(value.items()))
    if kind == "n":
        number, unit = shown_number(text), value.get("written", "")
        currency = currency_in(unit)
        if currency not in ("", "USD"):
            return f"{currency} {text_of(number)}"
        if unit:
            number = Shown(number)
            number.unit = unit
        return number
    if kind == "d":
        return date.fromisoformat(text)
    return Unreadable(text, _cell(value.get("stored")))  # type: ignore[arg-type]


def _text(content: bytes) -> str:
    if content.startswith((b"PK\x03\x04", b"%PDF", b"\x89PNG", b"\xff\xd8\xff")):
        raise _refused(
            _("The file is not a text: save it as .csv, or send the workbook as .xlsx."), "kind"
        )
    text = decoded(content)
    if text is None:
        raise _refused(
            _("The text of this file is in no encoding that is known here. Save it as CSV UTF-8."),
            "encoding",
        )
    return text


def _text_rows(text: str) -> Iterator[Row]:
    try:
        for number, cells in rows_of(text)[1]:
            if len(cells) > MAX_COLUMNS:
                raise SpreadsheetRefused(
                    Text(
                        "Line %(line)s has more than %(count)s cells.",
                        line=number,
                        count=MAX_COLUMNS,
                    )
                )
            row = tuple(map(_text_cell, cells))
            if any(cell is not None for cell in row):
                yield Row(number, row)
    except csv.Error as error:
        raise _refused(
            _("This file is not CSV: a quotation mark is missing, or a line does not end."), "csv"
        ) from error


def _text_cell(cell: str) -> Cell:
    text = plain_csv_text(cell)
    if text.startswith("=") and text == cell.strip():
        return Unreadable(FORMULA)
    return text or None
