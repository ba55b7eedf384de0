"""A bank's CSV export: its encoding, delimiter, headings, dates and decimal sign are found out, never assumed."""

import csv
import io
from collections.abc import Iterator, Sequence
from datetime import date
from decimal import Decimal

from apps.common.tables.cells import heading, written_plainly
from apps.common.tables.delimited import DELIMITERS, decoded
from apps.payments.statements.cells import Amounts, Dates, currency_in
from apps.payments.statements.headings import Column, recognise
from apps.payments.statements.lines import MAX_LINES, CreditLine, StatementRefused, clean, credit_line

ENCODINGS = ("utf-8-sig", "cp949")
PREAMBLE = 30
MAX_CELLS = 100
CREDIT_WORDS = frozenset({"c", "cr", "crdt", "credit", "h", "haben", "in", "입금", "+"})
DEBIT_WORDS = frozenset({"d", "dr", "dbit", "debit", "s", "soll", "out", "출금", "-"})
Row = Sequence[str]


def read_csv(content: bytes, *, today: date, currency: str = "") -> tuple[CreditLine, ...]:
    """Return the credits of a CSV export; `currency` is the account's where the file names none.

    Raises:
        StatementRefused: no known encoding or headings, no currency, or a row that cannot be read.
    """
    text = _decoded(content)
    rows, head, columns = _table(text)
    named = currency_in(heading(rows[head][_amount_column(columns)])) or currency
    records = [_Record(number, row, columns) for number, row in _body(rows, head, columns)]
    amounts = Amounts([cell for record in records for cell in record.amounts()])
    dates = Dates([record.day() for record in records], today=today)
    return tuple(
        line for record in records if (line := record.line(amounts=amounts, dates=dates, currency=named)) is not None
    )


def _decoded(content: bytes) -> str:
    if (text := decoded(content, encodings=ENCODINGS)) is not None:
        return text
    raise StatementRefused("This file is neither a CAMT.053 statement nor a CSV text in UTF-8, UTF-16 or CP949.")


def _table(text: str) -> tuple[list[Row], int, dict[Column, int]]:
    """Return the rows, which of them holds the headings, and which column is what, by the delimiter that fits best."""
    best: tuple[int, list[Row], int, dict[Column, int]] | None = None
    for delimiter in DELIMITERS:
        if delimiter not in text:
            continue
        rows = _rows(text, delimiter)
        for index, row in enumerate(rows[:PREAMBLE]):
            columns = recognise(row)
            if columns and (best is None or len(columns) > best[0]):
                best = (len(columns), rows, index, columns)
    if best is None:
        raise StatementRefused("No row of headings with a date and an amount was found in this file.")
    return best[1:]


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


def _amount_column(columns: dict[Column, int]) -> int:
    return columns[Column.CREDIT if Column.CREDIT in columns else Column.AMOUNT]


def _body(rows: list[Row], head: int, columns: dict[Column, int]) -> Iterator[tuple[int, Row]]:
    """Yield the rows below the headings with their numbers, up to the last one that has a date: sums stand below."""
    body = [(number, row) for number, row in enumerate(rows[head + 1 :], head + 2) if any(row)]
    days = [bool(_cell(row, columns, Column.DATE) or _cell(row, columns, Column.BOOKED)) for _, row in body]
    last = max((index for index, has_day in enumerate(days) if has_day), default=-1)
    if last + 1 > MAX_LINES:
        raise StatementRefused(f"More than {MAX_LINES:,} lines.")
    yield from body[: last + 1]


def _cell(row: Row, columns: dict[Column, int], column: Column) -> str:
    index = columns.get(column)
    return row[index] if index is not None and index < len(row) else ""


class _Record:
    """A row below the headings."""

    def __init__(self, number: int, row: Row, columns: dict[Column, int]) -> None:
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
        found = self.cell(Column.CURRENCY).upper() or currency_in(self.cell(Column.AMOUNT)) or currency
        if not found:
            raise StatementRefused("The file does not say its currency: choose it below and send the file again.")
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
        """Return what came in, below zero for what went out; None where both columns are empty or zero.

        A credit that is reversed stands in the credit column with a minus, and is left out like money that went out.
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
