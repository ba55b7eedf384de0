"""A bank's table, CSV or workbook: its encoding, delimiter, headings, dates and decimal sign are
found out.
"""

import csv
import io
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import Decimal

from apps.common.tables.cells import heading, written_plainly
from apps.common.tables.delimited import DELIMITERS, decoded_from, delimiter_of
from apps.payments.bank.cells import Amounts, Dates, currency_in, currency_of_heading, is_day
from apps.payments.bank.headings import DOUBTFUL_SIGNS, Column, recognise
from apps.payments.bank.lines import (
    MAX_LINES,
    CreditLine,
    StatementFile,
    StatementRefused,
    clean,
    credit_line,
)
from apps.payments.bank.workbook import is_workbook, workbook_rows

CSV, WORKBOOK = "csv", "sheet"
UTF_8, KOREAN, WESTERN = "utf-8-sig", "cp949", "cp1252"
MARK = "\ufeff"
LONE_BYTE, ANY_HIGH_BYTE = (
    re.compile(rb"(?<![\x80-\xff])[\x80-\xff](?![\x80-\xff])"),
    re.compile(rb"[\x80-\xff]"),
)
WESTERN_LETTERS = frozenset("äöüÄÖÜßáéíóúñÁÉÍÓÚÑçÇàèòÀÈÒâêîôûëïœæøåÆØÅ€ºª·¡¿´’‘“”–…§°«»\xa0")
PREAMBLE = 30
MAX_CELLS = 100
CREDIT_WORDS = frozenset({"c", "cr", "crdt", "credit", "h", "haben", "in", "입금", "+"})
DEBIT_WORDS = frozenset({"d", "dr", "dbit", "debit", "s", "soll", "out", "출금", "-"})
NO_HEADINGS = "No row of headings with a date and an amount was found in this file."
Row = Sequence[str]


@dataclass(frozen=True)
class Table:
    """A file taken apart: its rows, its headings, where its body begins, and which columns were
    recognised.

    A workbook has no `delimiter` and no `encoding`.
    """

    rows: Sequence[Row]
    headings: tuple[str, ...]
    first: int
    columns: Mapping[Column, int]
    delimiter: str
    encoding: str = ""

    def body(self) -> Iterator[tuple[int, Row]]:
        """Yield the rows below the headings that hold anything, with their numbers."""
        yield from (
            (number, row)
            for number, row in enumerate(self.rows[self.first :], self.first + 1)
            if any(row)
        )


def read_csv(content: bytes, *, today: date, currency: str = "") -> StatementFile:
    """Return a CSV export's credits, and its columns; `currency` is the account's where the file
    names none.

    Raises:
        StatementRefused: no known encoding or headings, no currency, or a row that cannot be read.
    """
    table = open_table(content)
    if not table.columns:
        raise StatementRefused(NO_HEADINGS)
    return read_table(table, table.columns, today=today, currency=currency)


def read_table(
    table: Table, columns: Mapping[Column, int], *, today: date, currency: str = ""
) -> StatementFile:
    """Return the credits of a table whose columns are named.

    Raises:
        StatementRefused: no currency, or a row that cannot be read.
    """
    named = currency_of_heading(table.headings[_amount_column(columns)]) or currency
    records = [_Record(number, row, columns) for number, row in _body(table, columns)]
    amounts = Amounts([cell for record in records for cell in record.amounts()])
    dates = Dates([record.day() for record in records], today=today)
    lines = (record.line(amounts=amounts, dates=dates, currency=named) for record in records)
    read, unread = _read_and_unread(table.headings, columns)
    kind = CSV if table.delimiter else WORKBOOK
    found = tuple(line for line in lines if line is not None)
    return StatementFile(kind, found, read=read, unread=unread, decimal=amounts.decimal)


def _read_and_unread(
    headings: Sequence[str], columns: Mapping[Column, int]
) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    """Return the headings that are read with what they are read as, and those that are not."""
    names = {index: column.value for column, index in columns.items()}
    read = tuple((cell, names[index]) for index, cell in enumerate(headings) if index in names)
    return read, tuple(cell for index, cell in enumerate(headings) if index not in names and cell)


def open_table(content: bytes) -> Table:
    """Return the table of a workbook, or of a CSV file, read by the delimiter with which most
    headings are known.

    Where none are known, the widest of the first rows holds the headings; or there are none, where
    it holds a day.

    Raises:
        StatementRefused: no known encoding, not CSV, a workbook that cannot be read, or no table.
    """
    best: Table | None = None
    text, encoding = ("", "") if is_workbook(content) else _decoded(content)
    readings = _readings(text) if encoding else [("", workbook_rows(content))]
    for delimiter, rows in readings:
        for index, row in enumerate(rows[:PREAMBLE]):
            columns = recognise(row)
            if columns and (best is None or len(columns) > len(best.columns)):
                best = Table(rows, _headings(row), index + 1, columns, delimiter)
    table = _without_false_sign(best) if best else _unknown_table(*readings[-1])
    return replace(table, encoding=encoding)


def _readings(text: str) -> list[tuple[str, list[Row]]]:
    """Return the rows of a CSV text by each delimiter that it holds, the likeliest last."""
    likely = delimiter_of(text)
    held = [delimiter for delimiter in DELIMITERS if delimiter in text and delimiter != likely]
    return [(delimiter, _rows(text, delimiter)) for delimiter in (*held, likely)]


def _without_false_sign(table: Table) -> Table:
    """Return the table without a column that is headed like credit or debit and holds anything
    else.
    """
    index = table.columns.get(Column.SIGN)
    if index is None or heading(table.headings[index]) not in DOUBTFUL_SIGNS:
        return table
    cells = {clean(row[index]).casefold() for _, row in table.body() if index < len(row)}
    if cells <= CREDIT_WORDS | DEBIT_WORDS:
        return table
    return replace(
        table,
        columns={column: at for column, at in table.columns.items() if column is not Column.SIGN},
    )


def _unknown_table(delimiter: str, rows: list[Row]) -> Table:
    widths = [sum(bool(cell) for cell in row) for row in rows[:PREAMBLE]]
    index = widths.index(max(widths, default=0)) if widths else 0
    if not widths or widths[index] < 2:
        raise StatementRefused(NO_HEADINGS)
    row = rows[index]
    if any(is_day(cell) for cell in row):
        return Table(
            rows,
            tuple(f"Column {number}" for number in range(1, len(row) + 1)),
            index,
            {},
            delimiter,
        )
    return Table(rows, _headings(row), index + 1, {}, delimiter)


def _headings(row: Row) -> tuple[str, ...]:
    return tuple(clean(cell) for cell in row)


def _decoded(content: bytes) -> tuple[str, str]:
    """Return the text and its encoding.

    It is Western Europe's code page only where its letters stand alone, as Korean's never do.
    """
    lone, high = len(LONE_BYTE.findall(content)), len(ANY_HIGH_BYTE.findall(content))
    found = decoded_from(content, encodings=(UTF_8, WESTERN)) if 2 * lone > high else None
    if found is None or not all(
        ord(char) < 128 or char in WESTERN_LETTERS for char in found[0].removeprefix(MARK)
    ):
        found = decoded_from(content, encodings=(UTF_8, KOREAN))
    if found is None:
        raise StatementRefused(
            "This file is neither CAMT.053 nor MT940, nor a CSV text in UTF-8, UTF-16, CP949 or Windows-1252."
        )
    return found[0].removeprefix(MARK), found[1]


def _rows(text: str, delimiter: str) -> list[Row]:
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    rows: list[Row] = []
    try:
        for row in reader:
            if len(rows) > MAX_LINES + PREAMBLE:
                raise StatementRefused(f"More than {MAX_LINES:,} lines.")
            if len(row) > MAX_CELLS:
                raise StatementRefused(f"Line {reader.line_num} has more than {MAX_CELLS} cells.")
            rows.append([written_plainly(cell) for cell in row])
    except csv.Error as error:
        raise StatementRefused(f"Line {reader.line_num} is not CSV.") from error
    return rows


def _amount_column(columns: Mapping[Column, int]) -> int:
    return columns[Column.CREDIT if Column.CREDIT in columns else Column.AMOUNT]


def _body(table: Table, columns: Mapping[Column, int]) -> Iterator[tuple[int, Row]]:
    """Yield the rows below the headings with their numbers, up to the last one that has a date:
    sums stand below.
    """
    body = list(table.body())
    days = [
        bool(_cell(row, columns, Column.DATE) or _cell(row, columns, Column.BOOKED))
        for _, row in body
    ]
    last = max((index for index, has_day in enumerate(days) if has_day), default=-1)
    if last + 1 > MAX_LINES:
        raise StatementRefused(f"More than {MAX_LINES:,} lines.")
    yield from body[: last + 1]


def _cell(row: Row, columns: Mapping[Column, int], column: Column) -> str:
    index = columns.get(column)
    return row[index] if index is not None and index < len(row) else ""


class _Record:
    """A row below the headings."""

    def __init__(self, number: int, row: Row, columns: Mapping[Column, int]) -> None:
        self.where = f"Line {number}"
        self.row = row
        self.columns = columns
        if any(self.cell(column).startswith("=") for column in columns):
            raise StatementRefused(f"{self.where} holds a formula.")

    def cell(self, column: Column) -> str:
        """Return the text of a column; empty where the row has none."""
        return _cell(self.row, self.columns, column)

    def amounts(self) -> list[str]:
        """Return the cells that hold money."""
        cells = [self.cell(column) for column in (Column.AMOUNT, Column.CREDIT, Column.DEBIT)]
        return [cell for cell in cells if cell]

    def day(self) -> str:
        """Return the value date, or the day of booking."""
        return self.cell(Column.DATE) or self.cell(Column.BOOKED)

    def line(self, *, amounts: Amounts, dates: Dates, currency: str) -> CreditLine | None:
        """Return the credit; None for money that went out."""
        amount = self._amount(amounts)
        if amount is None or amount <= 0:
            return None
        found = (
            self.cell(Column.CURRENCY).upper() or currency_in(self.cell(Column.AMOUNT)) or currency
        )
        if not found:
            raise StatementRefused(
                "The file does not say its currency: choose it below and send the file again."
            )
        return credit_line(
            where=self.where,
            value_date=dates.read(self.day(), self.where),
            amount=amount,
            currency=found,
            debtor=self.cell(Column.DEBTOR),
            text=self.cell(Column.TEXT),
            reference=self.cell(Column.REFERENCE),
        )

    def _amount(self, amounts: Amounts) -> Decimal | None:
        """Return what came in, below zero for what went out; None where both columns are empty or
        zero.

        A credit that is reversed stands in the credit column with a minus, and is left out like
        money that went out.
        """
        if Column.CREDIT in self.columns:
            cell = self.cell(Column.CREDIT)
            return amounts.read(cell, self.where) if cell else None
        amount = amounts.read(self.cell(Column.AMOUNT), self.where)
        sign = clean(self.cell(Column.SIGN)).casefold()
        if sign in DEBIT_WORDS:
            return -abs(amount)
        if sign and sign not in CREDIT_WORDS:
            raise StatementRefused(f"{self.where}: “{sign[:20]}” says neither credit nor debit.")
        return amount
