"""Days as people write them in sheets."""

import re
from collections.abc import Collection
from datetime import date
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_noop as _

from apps.catalog.models import ImportRow
from apps.common.days import FIRST_YEAR, LAST_YEAR
from apps.common.tables.cells import Cell, CellFault, text_of
from apps.common.texts import Text
from apps.moving.kinds.rows import UNCLEAR, Asked, leave_out, refuse

# The year comes first: `2026-11-30`, `2026. 11. 30.`, `2026년 11월 30일`, `20261130`.
YEAR_FIRST = re.compile(
    r"(\d{4}|\d\d(?=\s*년))(?:\s*[-./년]\s*(\d{1,2})\s*[-./월]\s*(\d{1,2})\s*[.일]?|(\d\d)(\d\d))"
)
# `12 Oct 2026`, `Oct 12th, 2026`
IN_WORDS = re.compile(
    r"(?P<day>\d{1,2})[\s-]*(?P<month>[a-z]{3})[a-z]*\.?,?[\s-]*(?P<year>\d{4})"
    r"|(?P<month2>[a-z]{3})[a-z]*\.?\s*(?P<day2>\d{1,2})(st|nd|rd|th)?,?\s*(?P<year2>\d{4})",
    re.IGNORECASE,
)
MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
# What could change places: `10/12/2026`, `10-12-2026`, `26.10.18`.
NUMBERS = re.compile(r"(\d{1,2})\s*[-./]\s*(\d{1,2})\s*[-./]\s*(\d{4}|\d\d)\s*\.?")
YEAR, MONTH, DAY = "year", "month", "day"


def day_of(cell: Cell) -> str:
    """Return a day as ISO writes it; behind UNCLEAR a text that is asked (`Days`).

    Raises:
        CellFault: it is none.
    """
    text = cell.isoformat()[:10] if isinstance(cell, date) else text_of(cell).lstrip("'`’")
    if NUMBERS.fullmatch(text):
        return UNCLEAR + text[:30]
    day = None
    if found := YEAR_FIRST.fullmatch(text):
        day = _day(*filter(None, found.groups()))
    elif found := IN_WORDS.fullmatch(text):
        said = {name.rstrip("2"): part for name, part in found.groupdict().items() if part}
        if (month := said["month"].lower()) in MONTHS:
            day = _day(said["year"], str(MONTHS.index(month) + 1), said["day"])
    if day is None or not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise CellFault(Text("“%(text)s” is not a date like 2026-11-30", text=text[:30]))
    return day.isoformat()


class Days:
    """The days of a file: what comes first in those that could be several is asked, once for
    years of four figures and once for those of two.
    """

    def __init__(self, names: Collection[str], asked: Asked, *, may_come: bool = False) -> None:
        self.names, self.asked, self.may_come = names, asked, may_come
        self.today = timezone.localdate()

    def settle(self, row: ImportRow, said: dict[str, Any]) -> bool:
        """Set the days of a row; one of which a day cannot be, is still to come or waits for an
        answer is left out, and False returned.
        """
        for name in self.names:
            text: str | Text = said.get(name, "")
            if isinstance(text, str) and text.startswith(UNCLEAR):
                if not (answer := self._read(text.removeprefix(UNCLEAR))):
                    leave_out(row, "")
                    return False
                said[name] = text = answer
            if isinstance(text, str) and not self.may_come and text > self.today.isoformat():
                text = Text("%(day)s is not yet", day=text)
            if isinstance(text, Text):
                refuse(row, text)
                return False
        return True

    def _read(self, text: str) -> str | Text:
        """Return an unclear day as ISO writes it, or why it is none; empty until it is answered."""
        found = NUMBERS.fullmatch(text)
        assert found is not None
        one, two, last = found.groups()
        readings = {MONTH: _day(last, one, two), DAY: _day(last, two, one)}
        choices = [(MONTH, Text(_("The month"))), (DAY, Text(_("The day")))]
        if len(last) == 2:
            readings[YEAR] = _day(one, two, last)
            choices.append((YEAR, Text(_("The year"))))
        none = Text("“%(text)s” is not a date like 2026-11-30", text=text)
        days = {day for day in readings.values() if day}
        if not days:
            return none
        if len(days) > 1:
            question = Text("Which comes first in dates such as “%(day)s”?", day=text)
            first = self.asked.answer(f"days {len(last)}", question, choices)
            if first and not readings[first]:
                return none
            day = readings.get(first)
            return day.isoformat() if day else ""
        return days.pop().isoformat()


def _day(year: str, month: str, day: str) -> date | None:
    try:
        return date(int(year) + (2000 if len(year) == 2 else 0), int(month), int(day))
    except ValueError:
        return None
