"""Days as people and programs write them in tables."""

import re
from datetime import date

from apps.common.days import FIRST_YEAR, LAST_YEAR

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


def certain_day(text: str) -> date | None:
    """Return the day of a text that can be read in one way; None where it is none."""
    day = None
    if match := YEAR_FIRST.fullmatch(text):
        day = day_by(*filter(None, match.groups()))
    elif match := IN_WORDS.fullmatch(text):
        parts = {name.rstrip("2"): part for name, part in match.groupdict().items() if part}
        if (month := parts["month"].lower()) in MONTHS:
            day = day_by(parts["year"], str(MONTHS.index(month) + 1), parts["day"])
    return day if day and FIRST_YEAR <= day.year <= LAST_YEAR else None


def day_by(year: str, month: str, day: str) -> date | None:
    """Return the day of these figures; None where there is no such day."""
    try:
        return date(int(year) + (2000 if len(year) == 2 else 0), int(month), int(day))
    except ValueError:
        return None
