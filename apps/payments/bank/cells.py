"""Amounts, currencies and dates of a table: one way of writing for the whole file, found from all
of its cells.
"""

import re
import unicodedata
from collections.abc import Iterable, Sequence
from datetime import date
from decimal import Decimal
from functools import lru_cache

from django.utils.translation import gettext as _

from apps.common.tables.cells import (
    DOLLARS,
    MARKS,
    Cell,
    CellFault,
    Doubtful,
    bare_number,
    column_mark,
    currency_in,
    heading,
    money_of,
    text_of,
    text_or_none,
)
from apps.common.tables.days import NUMBERS, certain_day, day_by
from apps.payments.bank.lines import StatementRefused

CLOCK = re.compile(
    r"( 오[전후])?[ T]+\[?\d{1,2}:\d{2}(:\d{2,4})?(\.\d+)?( ?[AaPp][Mm])?(Z|[+-]\d{2}:?\d{2})?\]?$"
)
UNITED_STATES = re.compile(r"\bUSD?\b|\bUS?\$", re.IGNORECASE)
NUMBER = "0123456789.,+- "
LONGEST_DAY = 60
WHOLE = frozenset({"KRW", "JPY"})  # nobody writes decimals of these


@lru_cache(maxsize=500)
def currency_of(text: str) -> str:
    """Return the currency that a heading or an amount names (`Betrag (€)`, `HK$ 12.00`,
    `입금액(원)`); empty if none. A bare `$` may be any dollar.
    """
    text = unicodedata.normalize("NFKC", text)
    currency = currency_in(text) or currency_in(heading(text))
    is_bare = currency == "USD" and "$" in text and not UNITED_STATES.search(text)
    return "" if is_bare else currency


def agreed_currency(currency: str, cell: Cell, where: str) -> str:
    """Return the currency of an amount: the one that is named beside it, else its own sign's.

    Raises:
        StatementRefused: the two are not the same.
    """
    text = cell.strip(NUMBER) if isinstance(cell, str) else ""
    own = currency_of(text)
    is_other_dollar = "$" in text and not own and currency not in ("", *DOLLARS.values())
    if is_other_dollar or (own and currency and own != currency):
        raise StatementRefused(
            _("%(where)s: “%(cell)s” is not in %(currency)s."),
            where=where,
            cell=str(cell)[:30],
            currency=currency,
        )
    return own or currency


def is_day(cell: Cell) -> bool:
    """Return whether a cell holds a day, whichever way it is written."""
    if not isinstance(cell, str):
        return isinstance(cell, date)
    day = _without_clock(cell)
    return bool(NUMBERS.fullmatch(day) or certain_day(day))


class Amounts:
    """How a file writes its amounts.

    The decimal mark is the one that any amount or balance shows, else the one that is given. Where
    neither says it, `1,234` is refused; in a currency without decimals the mark parts thousands.
    """

    def __init__(
        self, cells: Sequence[Cell], *, balances: Sequence[Cell], decimal: str, currencies: set[str]
    ) -> None:
        mark = column_mark(cells, witnesses=balances)
        used = {mark for mark in MARKS if any(mark in text_or_none(cell) for cell in cells)}
        if mark is None and len(used) == 1 and currencies and currencies <= WHOLE:
            mark = MARKS.replace(used.pop(), "")
        self.decimal = decimal if mark is None else mark

    def read(self, cell: Cell, where: str) -> Decimal | None:
        """Return an amount to the cent, below zero with a minus in front or behind or in brackets;
        None for an empty cell.

        Raises:
            StatementRefused: it is not an amount, or can be read as two.
        """
        number = bare_number(cell) or cell if isinstance(cell, str) else cell
        try:
            return money_of(number, self.decimal)
        except Doubtful as error:
            raise StatementRefused(
                _(
                    "%(where)s: “%(cell)s” can be more than a thousand, or have three decimals: "
                    "choose the decimal sign."
                ),
                where=where,
                cell=text_of(cell)[:30],
            ) from error
        except CellFault as error:
            raise StatementRefused(
                _("%(where)s: the amount “%(amount)s” cannot be read."),
                where=where,
                amount=str(cell)[:30],
            ) from error


class Dates:
    """How a file writes its dates.

    Where day and month could change places, the reading is taken that makes every one a date; a
    file that can be read in both ways is refused, but for dots (`01.11.2026`): the day comes first.
    """

    def __init__(self, cells: Iterable[Cell], *, day_first: bool | None = None) -> None:
        texts = [_without_clock(cell) for cell in cells if isinstance(cell, str)]
        matches = [match for text in texts if (match := NUMBERS.fullmatch(text))]
        if day_first is None:
            day_firsts = [_day(one, day_first=True) for one in matches]
            month_firsts = [_day(one, day_first=False) for one in matches]
            day_first = None not in day_firsts
            is_doubtful = day_first and None not in month_firsts and day_firsts != month_firsts
            if is_doubtful and not all("." in one[0] for one in matches):
                raise StatementRefused(
                    _(
                        "The dates can be read as day/month and as month/day: "
                        "choose which of them comes first."
                    )
                )
        self.day_first = day_first

    def read(self, cell: Cell, where: str) -> date:
        """Return a date.

        Raises:
            StatementRefused: it is not a date.
        """
        if isinstance(cell, date):
            return cell
        text = _without_clock(text_of(cell))
        match = NUMBERS.fullmatch(text)
        day = _day(match, day_first=self.day_first) if match else certain_day(text)
        if day is not None:
            return day
        raise StatementRefused(
            _("%(where)s: the date “%(date)s” cannot be read."), where=where, date=text[:30]
        )


def _day(match: re.Match[str], *, day_first: bool) -> date | None:
    first, second, year = match.groups()
    return day_by(year, second, first) if day_first else day_by(year, first, second)


def _without_clock(cell: str) -> str:
    text = cell.strip()
    return CLOCK.sub("", text).strip().rstrip(".") if len(text) <= LONGEST_DAY else text
