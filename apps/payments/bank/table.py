"""A bank's table, CSV or workbook: its encoding, delimiter, headings, dates and decimal sign are
found out. `headings.json` holds the headings and the words of columns of status, in the languages
that reach the seller.
"""

import io
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from decimal import Decimal
from pathlib import Path

from django.db.models import TextChoices
from django.utils.translation import gettext, gettext_lazy as _, gettext_noop, pgettext_lazy

from apps.common.tables.cells import (
    DOLLAR,
    Cell,
    Unreadable,
    cell_at,
    heading,
    heading_key,
    is_nothing,
    stored_value,
    text_of,
)
from apps.common.tables.headings import find_columns
from apps.common.tables.spreadsheets import OLD_OFFICE, Row, SpreadsheetRefused, read_rows
from apps.payments.bank.cells import Amounts, Dates, agreed_currency, currency_of, is_day
from apps.payments.bank.lines import (
    MAX_BYTES,
    MAX_LINES,
    WENT_OUT,
    ZERO,
    CreditLine,
    StatementFile,
    StatementRefused,
    checked,
    clean,
    statement_file,
    with_status,
)


class Column(TextChoices):
    """What a column of an export holds, in the words of the page that names it."""

    DATE = "DATE", _("Value date")
    BOOKED = "BOOKED", _("Date")
    AMOUNT = "AMOUNT", _("Amount")
    CREDIT = "CREDIT", _("Money in")
    DEBIT = "DEBIT", _("Money out")
    SIGN = "SIGN", _("Credit or debit")
    STATUS = "STATUS", _("Status")
    CURRENCY = "CURRENCY", _("Currency")
    DEBTOR = "DEBTOR", _("Depositor")
    TEXT = "TEXT", pgettext_lazy("credit", "Text")
    REFERENCE = "REFERENCE", _("Bank reference")


KNOWN_WORDS = json.loads(Path(__file__).with_name("headings.json").read_text(encoding="utf-8"))
# The earlier of two headings for the same thing wins, wherever it stands in the file.
HEADINGS = {Column[name]: names for name, names in KNOWN_WORDS["columns"].items()}
NAMES = frozenset(heading_key(name) for names in HEADINGS.values() for name in names)
# These say credit or debit at some banks, and something else at others: what stands in the column
# decides.
DOUBTFUL_SIGNS = frozenset(KNOWN_WORDS["doubtful"])
CURRENCY_SUFFIX = re.compile(
    r"(?:(?: |(?<=[가-힣]))(?:in(?: [a-z]{3})?|[a-z]{3})|외화|미화|달러|원)$"
)
LONGEST_STATUS = 40


def recognise(row: Sequence[str]) -> dict[Column, int]:
    """Return which column of a row of headings is what; nothing unless there are a date and an
    amount.
    """
    names = [heading_key(DOLLAR.sub(" ", cell)) for cell in row]
    bare = [name if name in NAMES else CURRENCY_SUFFIX.sub("", name) for name in names]
    columns = find_columns(bare, HEADINGS)
    return columns if is_enough(columns) else {}


def is_enough(columns: Mapping[Column, int]) -> bool:
    """Return whether a file can be read by its columns: there are a date and an amount."""
    has_day = not columns.keys().isdisjoint((Column.DATE, Column.BOOKED))
    return has_day and not columns.keys().isdisjoint((Column.AMOUNT, Column.CREDIT))


def is_balance(name: str) -> bool:
    """Return whether a column is headed as a balance."""
    return any(word in heading(name) for word in KNOWN_WORDS["balances"])


def is_booked(status: str) -> bool | None:
    """Return whether a status says that money has arrived; None for a word that is not known."""
    words = f" {heading(status)} "
    if len(words) > LONGEST_STATUS:
        return None
    if any(stem in words for stem in KNOWN_WORDS["statuses"]["not booked"]):
        return False
    return any(stem in words for stem in KNOWN_WORDS["statuses"]["booked"]) or None


CSV, WORKBOOK = "csv", "sheet"
ZIP = b"PK\x03\x04"
PREAMBLE = 30
LAST_SURE_NUMBER = 10**15  # a spreadsheet does not keep the digits of a longer one
CREDIT_WORDS = frozenset({"c", "cr", "crdt", "credit", "h", "haben", "in", "입금", "+"})
DEBIT_WORDS = frozenset({"d", "dr", "dbit", "debit", "s", "soll", "out", "출금", "-"})
FIGURES = (Column.AMOUNT, Column.CREDIT, Column.DEBIT)
NO_AMOUNT = gettext_noop("lines without an amount")


@dataclass(frozen=True)
class Table:
    """A file taken apart: of which kind it is, its headings, the rows below them that hold
    anything, and which columns were recognised. A workbook's numbers and dates stay what they are.
    """

    kind: str
    headings: tuple[str, ...]
    rows: Sequence[Row]
    columns: Mapping[Column, int]

    def balances(self) -> list[Cell]:
        """Return what stands in the columns of balances."""
        places = [index for index, name in enumerate(self.headings) if is_balance(name)]
        return [cell_at(row.cells, index) for index in places for row in self.rows]

    def cells(self, index: int) -> list[str]:
        """Return what stands in a column below its heading, as text; no empty cells."""
        texts = (cell_text(cell_at(row.cells, index)) for row in self.rows)
        return [text for text in texts if text]


def cell_text(cell: Cell) -> str:
    """Return a cell as text, a formula by its value; empty where it holds nothing."""
    cell = stored_value(cell)
    return "" if is_nothing(cell) or isinstance(cell, Unreadable) else text_of(cell)


def read_table(
    table: Table,
    columns: Mapping[Column, int],
    *,
    currency: str = "",
    decimal: str = "",
    day_first: bool | None = None,
) -> StatementFile:
    """Return the credits of a table whose columns are named; `decimal` is its decimal sign where
    the amounts do not show it.

    Raises:
        StatementRefused: no columns, no currency, or a row that cannot be read.
    """
    if not columns:
        raise StatementRefused(
            gettext("No row of headings with a date and an amount was found in this file.")
        )
    amount = columns[Column.CREDIT if Column.CREDIT in columns else Column.AMOUNT]
    heading_currency = currency_of(table.headings[amount])
    body = list(table.rows)
    days = [columns[column] for column in (Column.DATE, Column.BOOKED) if column in columns]
    while body and all(is_nothing(cell_at(body[-1].cells, index)) for index in days):
        body.pop()  # sums stand below the last row that has a date
    records = [_Record(row, columns) for row in body]
    figures = [record.cell(column) for record in records for column in FIGURES]
    currencies = {
        code for record in records if (code := record.currency(heading_currency) or currency)
    }
    amounts = Amounts(figures, balances=table.balances(), decimal=decimal, currencies=currencies)
    dates = Dates((one.day() for one in records), day_first=day_first)
    lines = [
        record.line(
            amounts=amounts, dates=dates, heading_currency=heading_currency, currency=currency
        )
        for record in records
    ]
    return statement_file(table.kind, lines)


def open_table(content: bytes) -> Table:
    """Return the table of a CSV file, or of a workbook's first sheet, which is read in a process of
    its own; its headings are the row of which most are known.

    Where none are known, the widest of the first rows holds the headings; or there are none, where
    it holds a day.

    Raises:
        StatementRefused: no known encoding, not CSV, a workbook that cannot be read, or no table.
    """
    extension = {OLD_OFFICE[:4]: "xls", ZIP: "xlsx"}.get(content[:4], "csv")
    try:
        rows_read = read_rows(
            io.BytesIO(content),
            name=f"statement.{extension}",
            max_rows=MAX_LINES,
            max_bytes=MAX_BYTES,
            old=True,
        )
        rows = list(rows_read)
    except SpreadsheetRefused as refusal:
        raise StatementRefused(str(refusal)) from refusal
    kind = CSV if extension == "csv" else WORKBOOK
    names = [tuple(clean(cell_text(cell)) for cell in row.cells) for row in rows[:PREAMBLE]]
    matches = [len(recognise(one)) for one in names]
    if any(matches):
        index = matches.index(max(matches))
        return _by_content(Table(kind, names[index], rows[index + 1 :], recognise(names[index])))
    widths = [sum(cell is not None for cell in row.cells) for row in rows[:PREAMBLE]]
    if max(widths, default=0) < 2:
        text = gettext(
            "This file has one column only. A statement has a column of dates and one of amounts."
        )
        raise StatementRefused(text)
    index = widths.index(max(widths))
    cells = rows[index].cells
    if any(is_day(cell) for cell in cells):
        numbered = tuple(f"Column {number}" for number in range(1, len(cells) + 1))
        return Table(kind, numbered, rows[index:], {})
    return Table(kind, names[index], rows[index + 1 :], {})


def _by_content(table: Table) -> Table:
    """Return the table with the columns whose headings say too little taken by what stands in them:
    credit or debit, and the status of a transfer.
    """
    columns = dict(table.columns)
    sign = columns.get(Column.SIGN)
    if sign is not None and heading(table.headings[sign]) in DOUBTFUL_SIGNS:
        words = {text.casefold() for text in table.cells(sign)}
        if not words <= CREDIT_WORDS | DEBIT_WORDS:
            del columns[Column.SIGN]
    status = columns.pop(Column.STATUS, None)
    free = [index for index in range(len(table.headings)) if index not in columns.values()]
    for index in free if status is None else [status]:
        meanings = {is_booked(text) for text in table.cells(index)}
        if meanings - {None} if index == status else True in meanings and None not in meanings:
            columns[Column.STATUS] = index
            break
    return replace(table, columns=columns)


class _Record:
    """A row below the headings."""

    def __init__(self, row: Row, columns: Mapping[Column, int]) -> None:
        self.number, self.row = row.number, row.cells
        self.columns = columns
        for column in columns:
            cell = cell_at(self.row, columns[column])
            is_typed = isinstance(cell, str) and cell.startswith("=")
            is_told = column in (Column.DEBTOR, Column.TEXT) and stored_value(cell) != cell
            if is_typed or (isinstance(cell, Unreadable) and not is_told):
                raise StatementRefused(gettext("%(where)s holds a formula."), where=self.where)

    @property
    def where(self) -> str:
        """Return the name of its place in the file."""
        return gettext("Line %(number)s") % {"number": self.number}

    def cell(self, column: Column) -> Cell:
        """Return a column's cell; None where it holds nothing."""
        cell = cell_at(self.row, self.columns.get(column))
        return None if is_nothing(cell) else cell

    def text(self, column: Column) -> str:
        """Return the text of a column; empty where it holds nothing."""
        return cell_text(self.cell(column))

    def day(self) -> Cell:
        """Return the value date, or the day of booking."""
        return self.cell(Column.DATE) or self.cell(Column.BOOKED)

    def figure(self) -> Cell:
        """Return the cell with the amount that came in."""
        return self.cell(Column.CREDIT if Column.CREDIT in self.columns else Column.AMOUNT)

    def currency(self, heading_currency: str) -> str:
        """Return the currency that the row names, its amount's heading (`heading_currency`) or its
        sign; empty if none does.

        Raises:
            StatementRefused: they name two.
        """
        text = self.text(Column.CURRENCY)
        currency = currency_of(text) or ("" if text in ("", "$") else text.upper())
        return agreed_currency(currency or heading_currency, self.figure(), self.where)

    def line(
        self, *, amounts: Amounts, dates: Dates, heading_currency: str, currency: str
    ) -> CreditLine | str:
        """Return the credit, or why it is none."""
        if reason := self._unbooked():
            return reason
        amount = self._amount(amounts)
        if amount is None:
            return WENT_OUT if self.cell(Column.DEBIT) else NO_AMOUNT
        if amount <= 0:
            return WENT_OUT if amount or self.cell(Column.DEBIT) else ZERO
        reference = self.cell(Column.REFERENCE)
        is_cut = isinstance(reference, int | Decimal) and Decimal(reference) >= LAST_SURE_NUMBER
        booked_on = self.cell(Column.BOOKED) if Column.DATE in self.columns else None
        line = CreditLine(
            value_date=dates.read(self.day(), self.where),
            amount=amount,
            currency=self.currency(heading_currency)
            or agreed_currency(currency, self.figure(), self.where),
            debtor=self.text(Column.DEBTOR),
            text=self.text(Column.TEXT),
            reference="" if is_cut else self.text(Column.REFERENCE),
            booked_on=dates.read(booked_on, self.where) if is_day(booked_on) else None,
        )
        return checked(line, self.where)

    def _unbooked(self) -> str:
        """Return why the money has not arrived: a status, or a word in the place of the day; empty
        if it has.
        """
        status = self.text(Column.STATUS)
        meaning = is_booked(status) if status else True
        if meaning is None:
            raise StatementRefused(
                gettext(
                    "%(where)s: “%(status)s” says neither booked nor pending: leave its column "
                    "out to read such lines."
                ),
                where=self.where,
                status=status[:30],
            )
        day = self.day()
        if meaning and isinstance(day, str) and not is_day(day) and is_booked(day) is False:
            status, meaning = day, False
        return "" if meaning else with_status(status)

    def _amount(self, amounts: Amounts) -> Decimal | None:
        """Return what came in, below zero for what went out; None where nothing is said.

        A credit that is reversed stands in the credit column with a minus, and is left out like
        money that went out.
        """
        if Column.CREDIT in self.columns:
            return amounts.read(self.cell(Column.CREDIT), self.where)
        amount = amounts.read(self.cell(Column.AMOUNT), self.where)
        sign_cell = cell_at(self.row, self.columns.get(Column.SIGN))
        sign = (
            "-" if sign_cell == "-" else cell_text(sign_cell)
        )  # a minus, not the dash for nothing
        if amount is not None and sign.casefold() in DEBIT_WORDS:
            return -abs(amount)
        if sign and sign.casefold() not in CREDIT_WORDS:
            raise StatementRefused(
                gettext("%(where)s: “%(sign)s” says neither credit nor debit."),
                where=self.where,
                sign=sign[:20],
            )
        if sign and amount is not None and amount < 0:
            raise StatementRefused(
                gettext(
                    "%(where)s: it says credit, and its amount is below zero: leave one of the two "
                    "columns out."
                ),
                where=self.where,
            )
        return amount
