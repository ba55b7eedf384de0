"""Days as people write them in sheets."""

import re
from datetime import date

from apps.common.days import FIRST_YEAR, LAST_YEAR
from apps.common.tables.cells import Cell, CellFault, text_of
from apps.common.texts import Text

# The year comes first or the month is a word: what begins with a number below could be either way.
YEAR_FIRST = re.compile(r"(\d{4})\s*[-./년]\s*(\d{1,2})\s*[-./월]\s*(\d{1,2})\s*[.일]?")


def day_of(cell: Cell) -> str:
    """Return a day as ISO writes it.

    Raises:
        CellFault: it is none, or could be two.
    """
    text = cell.isoformat() if isinstance(cell, date) else text_of(cell)
    found = YEAR_FIRST.fullmatch(text.strip())
    try:
        if found is None:
            raise ValueError
        day = date(*map(int, found.groups()))
    except ValueError as error:
        fault = Text("“%(text)s” is no day as 2026-11-30", text=text[:30])
        raise CellFault(fault) from error
    if not FIRST_YEAR <= day.year <= LAST_YEAR:
        raise CellFault(Text("“%(text)s” is no day as 2026-11-30", text=text[:30]))
    return day.isoformat()
