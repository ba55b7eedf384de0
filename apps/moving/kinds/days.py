"""Days as people write them in sheets."""

import re
from collections import defaultdict
from collections.abc import Iterable
from datetime import date, timedelta

from django.utils.translation import gettext_noop as _

from apps.common.days import FIRST_YEAR, LAST_YEAR
from apps.common.tables.cells import Cell, CellFault, text_of
from apps.common.texts import Text
from apps.moving.services.rows import UNCLEAR, Asked

# The year comes first: `2026-11-30`, `2026. 11. 30.`, `2026년 11월 30일`, `20261130`.
YEAR_FIRST = re.compile(r"(\d{4})\s*[-./년]\s*(\d{1,2})\s*[-./월]\s*(\d{1,2})\s*[.일]?")
DIGITS = re.compile(r"(20\d\d)(\d\d)(\d\d)")
# `12 Oct 2026`, `Oct 12th, 2026`
IN_WORDS = re.compile(
    r"(?P<day>\d{1,2})[\s-]*(?P<month>[a-z]{3})[a-z]*\.?,?[\s-]*(?P<year>\d{4}|\d{2})"
    r"|(?P<month2>[a-z]{3})[a-z]*\.?\s*(?P<day2>\d{1,2})(st|nd|rd|th)?,?\s*(?P<year2>\d{4})",
    re.IGNORECASE,
)
NO_YEAR = re.compile(r"(\d{1,2})[\s-]*([a-z]{3})[a-z]*\.?", re.IGNORECASE)
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# What could change places: `10/12`, `10.12.26`, `10-12-2026`; a Korean one has the month first.
NUMBERS = re.compile(r"(\d{1,2})\s*[-./월]\s*(\d{1,2})(?:\s*[-./]\s*(\d{4}|\d{2}))?\s*[.일]?")
DONE = re.compile(r"\(?\s*(입금|완료|입금완료|수금|수령|접수|paid|received)\s*\)?", re.IGNORECASE)
YEAR, MONTH, DAY = "year", "month", "day"
LEAP = 2024
LONG_AGO = timedelta(days=3 * 365)


def day_of(cell: Cell) -> str:
    """Return a day as ISO writes it; behind UNCLEAR a text that is settled with its whole file
    (`Days`).

    Raises:
        CellFault: it is none.
    """
    text = cell.isoformat()[:10] if isinstance(cell, date) else text_of(cell).lstrip("'`’")
    bare = _bare(text)
    if (found := NO_YEAR.fullmatch(bare)) and found[2].lower() in MONTHS:
        return f"{UNCLEAR}{MONTHS.index(found[2].lower()) + 1}월 {found[1]}일"
    if NUMBERS.fullmatch(bare):
        return UNCLEAR + text[:30]
    try:
        day = _clear(bare)
    except ValueError as error:
        raise CellFault(Text("“%(text)s” is no day as 2026-11-30", text=text[:30])) from error
    return day.isoformat()


def _clear(text: str) -> date:
    if found := YEAR_FIRST.fullmatch(text) or DIGITS.fullmatch(text):
        day = date(*map(int, found.groups()))
    elif found := IN_WORDS.fullmatch(text):
        said = {name.rstrip("2"): part for name, part in found.groupdict().items() if part}
        month = MONTHS.index(said["month"].lower()) + 1
        day = date(_year(said["year"]), month, int(said["day"]))
    else:
        raise ValueError
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise ValueError
    return day


def _year(text: str) -> int:
    return int(text) if len(text) == 4 else 2000 + int(text)


class Days:
    """The days of a file. Those that can be read in one way alone say what comes first, the month
    or the day, and which year it is; else that is asked.
    """

    def __init__(self, texts: Iterable[str], asked: Asked, *, today: date) -> None:
        self.asked, self.today = asked, today
        unclear = [text for text in texts if text.startswith(UNCLEAR)]
        self.first: dict[str, set[str]] = defaultdict(set)
        for text in unclear:
            if len(found := self._readings(text)) == 1:
                self.first[_style(text)] |= found.keys()
        years = {int(text[:4]) for text in texts if not text.startswith(UNCLEAR)}
        years |= {
            day.year
            for text in unclear
            if NUMBERS.fullmatch(_bare(text))[3]  # type: ignore[index]
            for day in self._readings(text).values()
        }
        self.year = years.pop() if len(years) == 1 else 0

    def read(self, text: str) -> str:
        """Return an unclear day as ISO writes it; empty until all is answered.

        Raises:
            CellFault: it is none.
        """
        found = self._readings(text)
        if not found:
            shown = text.removeprefix(UNCLEAR)
            raise CellFault(Text("“%(text)s” is no day as 2026-11-30", text=shown))
        day = next(iter(found.values()))
        if len(set(found.values())) > 1:
            said = self.first[_style(text)]
            first = (
                next(iter(said)) if len(said) == 1 and said <= found.keys() else self._asked(text)
            )
            if first not in found:
                return ""
            day = found[first]
        if NUMBERS.fullmatch(_bare(text))[3]:  # type: ignore[index]
            return day.isoformat()
        year = self.year or int(self._asked_year(text) or 0)
        return day.replace(year=year).isoformat() if year else ""

    def _asked(self, text: str) -> str:
        choices = [(MONTH, Text(_("The month"))), (DAY, Text(_("The day"))),
                   (YEAR, Text(_("The year")))]  # fmt: skip
        shown = text.removeprefix(UNCLEAR)
        question = Text("What comes first in days such as “%(day)s”?", day=shown)
        return self.asked.answer(f"days:{_style(text)}", question, choices)

    def _asked_year(self, text: str) -> str:
        this = self.today.year
        choices = [(str(year), Text(str(year))) for year in (this, this - 1)]
        shown = text.removeprefix(UNCLEAR)
        question = Text("Of which year are days such as “%(day)s”?", day=shown)
        return self.asked.answer("year", question, choices)

    def _readings(self, text: str) -> dict[str, date]:
        """Return what a text can mean by what comes first; days of the last years win over others.
        One without a year is of a leap year.
        """
        found = NUMBERS.fullmatch(_bare(text))
        if found is None:
            return {}
        one, two, last = found.groups()
        orders = {MONTH: (last, one, two), DAY: (last, two, one)}
        if last and len(last) == 2:
            orders[YEAR] = one, two, last
        if re.search("[가-힣]", text):
            del orders[DAY]
        days = {key: day for key, parts in orders.items() if (day := _day(*parts))}
        likely = {
            key: day for key, day in days.items() if self.today - LONG_AGO < day <= self.today
        }
        return (likely or days) if last else days


def _bare(text: str) -> str:
    return DONE.sub("", text.removeprefix(UNCLEAR)).strip()


def _style(text: str) -> str:
    """Return how a day is written: `10/12` may have the month first where `10.12.2026` has not."""
    return re.sub(r"\d", "0", re.sub(r"\d+", "0", _bare(text)))


def _day(year: str | None, month: str, day: str) -> date | None:
    try:
        return date(_year(year) if year else LEAP, int(month), int(day))
    except ValueError:
        return None
