"""Days as people write them in sheets."""

from collections.abc import Collection
from datetime import date
from typing import Any

from django.utils import timezone
from django.utils.translation import gettext_noop as _

from apps.catalog.models import ImportRow
from apps.common.tables.cells import Cell, CellFault, text_of
from apps.common.tables.days import NUMBERS, certain_day, day_by
from apps.common.texts import Text
from apps.moving.kinds.rows import UNCLEAR, Asked, leave_out, refuse

YEAR, MONTH, DAY = "year", "month", "day"


def day_of(cell: Cell) -> str:
    """Return a day as ISO writes it; behind UNCLEAR a text that is asked (`Days`).

    Raises:
        CellFault: it is none.
    """
    text = cell.isoformat()[:10] if isinstance(cell, date) else text_of(cell).lstrip("'`’")
    if NUMBERS.fullmatch(text):
        return UNCLEAR + text[:30]
    if (day := certain_day(text)) is None:
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
        readings = {MONTH: day_by(last, one, two), DAY: day_by(last, two, one)}
        choices = [(MONTH, Text(_("The month"))), (DAY, Text(_("The day")))]
        if len(last) == 2:
            readings[YEAR] = day_by(one, two, last)
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
