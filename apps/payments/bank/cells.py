"""Amounts and dates of a CSV export: one way of writing for the whole file, found from all of its
cells.
"""

import re
from collections.abc import Callable, Iterable, Sequence
from datetime import date, datetime, timedelta
from decimal import Decimal

from pycountry import currencies

from apps.common.tables.cells import (
    CURRENCIES,
    MARKS,
    SIGNS,
    bare_number,
    decimal_mark,
    heading,
    is_grouped,
)
from apps.payments.bank.lines import StatementRefused

NUMBER = re.compile(r"[+-]?\d{1,15}(\.\d{1,2})?")
OLDEST, NEWEST = timedelta(days=400), timedelta(days=7)
SEPARATED = re.compile(r"(\d{1,2})[./-](\d{1,2})[./-](\d{4}|\d{2})")
CLOCK = re.compile(
    r"[ T]+\[?\d{1,2}:\d{2}(:\d{2,4})?(\.\d+)?( ?[AaPp][Mm])?(Z|[+-]\d{2}:?\d{2})?\]?$"
)
WON = re.compile(r"[(\s]원\)?$")
CERTAIN = (
    "%Y-%m-%d",
    "%Y/%m/%d",
    "%Y.%m.%d",
    "%Y. %m. %d",
    "%Y%m%d",
    "%d %b %Y",
    "%d-%b-%Y",
    "%d %B %Y",
    "%b %d, %Y",
)


def currency_in(text: str) -> str:
    """Return the currency that a heading or an amount names (`Amount (USD)`, `$ 12.00`); empty if
    none.
    """
    for sign, code in SIGNS.items():
        if sign in text:
            return code
    codes = (code.upper() for code in CURRENCIES.findall(text.strip()))
    return next((code for code in codes if currencies.get(alpha_3=code)), "")


def currency_of_heading(text: str) -> str:
    """Return the currency that an amount's heading names (`Betrag (€)`, `Amount USD`, `입금액(원)`);
    empty if none.
    """
    return "KRW" if WON.search(text) else currency_in(text) or currency_in(heading(text))


def is_day(text: str) -> bool:
    """Return whether a cell holds a day, whichever way it is written."""
    day = _without_clock(text)
    return bool(SEPARATED.fullmatch(day)) or any(_read_as(form, day) for form in CERTAIN)


class Amounts:
    """How a file writes its amounts.

    A mark with one or two digits behind it is the decimal mark. Where only groups of three follow
    the only kind of mark, it parts thousands: no amount has three decimals.
    """

    def __init__(self, cells: Sequence[str]) -> None:
        decimals = {mark for cell in cells if (mark := decimal_mark(bare_number(cell)))}
        if len(decimals) > 1:
            raise StatementRefused(
                "The amounts have a decimal comma in some lines and a decimal point in others."
            )
        self.decimal = decimals.pop() if decimals else ""

    def read(self, cell: str, where: str) -> Decimal:
        """Return an amount, below zero with a minus in front or behind or in brackets.

        Raises:
            StatementRefused: it is not an amount.
        """
        bare = bare_number(cell)
        for mark in MARKS:
            bare = bare.replace(mark, "." if mark == self.decimal else "")
        if not NUMBER.fullmatch(bare) or not is_grouped(bare_number(cell), self.decimal):
            raise StatementRefused(f"{where}: the amount “{cell[:30]}” cannot be read.")
        return Decimal(bare)


class Dates:
    """How a file writes its dates.

    Where day and month could change places, the reading is taken that puts every date between 400
    days ago and a week ahead; a file that can be read in both ways is refused, with dots
    (`01.11.2026`) taken with the day first.
    """

    def __init__(self, cells: Sequence[str], *, today: date) -> None:
        self.read_day: Callable[[int, int, int], date] = _day_first
        separated = [
            found for cell in cells if (found := SEPARATED.fullmatch(_without_clock(cell)))
        ]
        doubtful = [found.groups() for found in separated]
        readings = [
            (reading, days)
            for reading in (_day_first, _month_first)
            if (days := _days(doubtful, reading, today=today))
        ]
        if _is_doubtful(separated, [days for _, days in readings]):
            raise StatementRefused(
                "The dates can be read as day/month and as month/day: export them as year-month-day, please."
            )
        if readings:
            self.read_day = readings[0][0]

    def read(self, cell: str, where: str) -> date:
        """Return a date.

        Raises:
            StatementRefused: it is not a date.
        """
        text = _without_clock(cell)
        for form in CERTAIN:
            if day := _read_as(form, text):
                return day
        if found := SEPARATED.fullmatch(text):
            try:
                return self.read_day(int(found[1]), int(found[2]), _year(found[3]))
            except ValueError:
                pass
        raise StatementRefused(f"{where}: the date “{cell[:30]}” cannot be read.")


def _is_doubtful(cells: Iterable[re.Match[str]], readings: Sequence[Sequence[date]]) -> bool:
    """Return whether dates read differently with the month first; nobody writes it
    first with dots.
    """
    return (
        len(readings) == 2
        and readings[0] != readings[1]
        and not all("." in cell[0] for cell in cells)
    )


def _days(
    cells: Iterable[Sequence[str]], reading: Callable[[int, int, int], date], *, today: date
) -> list[date]:
    """Return the dates by one reading of day and month; nothing where one of them is no date, too
    old or too new.
    """
    try:
        days = [reading(int(one), int(two), _year(three)) for one, two, three in cells]
    except ValueError:
        return []
    return days if all(today - OLDEST <= day <= today + NEWEST for day in days) else []


def _read_as(form: str, text: str) -> date | None:
    try:
        return datetime.strptime(text, form).date()  # noqa: DTZ007 - a day has no time zone
    except ValueError:
        return None


def _without_clock(cell: str) -> str:
    return CLOCK.sub("", cell.strip()).strip().rstrip(".")


def _year(text: str) -> int:
    return int(text) + (2000 if len(text) == 2 else 0)


def _day_first(first: int, second: int, year: int) -> date:
    return date(year, second, first)


def _month_first(first: int, second: int, year: int) -> date:
    return date(year, first, second)
