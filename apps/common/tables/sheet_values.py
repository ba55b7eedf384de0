"""What the cells of a workbook hold, from what is written in its parts, for `sheet_reader.py`; it
knows nothing of the portal.

A value is as JSON holds it (`sheet_reader.py` says how).
"""

import re
from datetime import date, datetime, timedelta
from typing import Any, NamedTuple

from apps.common.tables.parts import RefusedError

MAX_TEXT = 32_767
ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
# What a number's format shows: ids that are in no file, and codes less their texts and colours.
DAY_FORMATS = frozenset((*range(14, 23), *range(27, 37), 45, 47, *range(50, 59)))
DURATION_FORMATS = frozenset((46,))
LONGEST_CODE = 255
# What a format writes beside a number: texts, single signs, and the currency in `[$HK$-C04]`, whose
# number is the place where a bare dollar is at home.
WRITTEN = re.compile(r'"([^"]*)"|\\(.)|\[\$([^\]-]*)(?:-([0-9A-Fa-f]+))?[^\]]*\]|([$€£¥₩])')
# Whose dollar it is, by that place; of a place that is not here it is nobody's.
DOLLARS_AT = {"": "$", "409": "$", "C04": "HK$", "404": "NT$", "1009": "C$", "C0C": "C$"}
DOLLARS_AT |= {"C09": "A$", "1409": "NZ$", "1004": "S$", "80A": "MX$"}
UNKNOWN_DOLLAR = "X$"
LITERAL = re.compile(r'"[^"]*"|\\.|_.|\[(?!h+\]|m+\]|s+\])[^\[\]]*\]', re.IGNORECASE)
EPOCH_1900, EPOCH_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)  # noqa: DTZ001 - no zones
LEAP_DAY_1900 = 60  # a day that spreadsheets know and no calendar does
MOST_DAYS = 2_958_466  # the year 9999 is over


class Style(NamedTuple):
    """What a cell's style says of its number."""

    is_day: bool = False
    is_duration: bool = False
    is_crossed_out: bool = False
    written: str = ""  # beside the number: `HK$`
    digits: int = 0  # as many as a format of zeros alone shows: `0000000`


PLAIN = Style()


def style_of(number: int, code: str | None, *, is_crossed_out: bool) -> Style:
    """Return a style by the number of its format, and the format's code where the file has one."""
    if code is None:
        return Style(number in DAY_FORMATS, number in DURATION_FORMATS, is_crossed_out)
    shown = LITERAL.sub("", code.partition(";")[0][:LONGEST_CODE]).lower()
    is_duration = "[" in shown
    is_day = not is_duration and any(sign in shown for sign in "dmhys")
    digits = len(code) if len(code) > 1 and not code.strip("0") else 0
    return Style(is_day, is_duration, is_crossed_out, _written(code), digits)


def _written(code: str) -> str:
    """Return what a format writes beside its number, a dollar by the place where it is at home."""
    parts = []
    for text, sign, currency, place, bare in WRITTEN.findall(code.partition(";")[0][:LONGEST_CODE]):
        dollar = DOLLARS_AT.get(place.upper().lstrip("0"), UNKNOWN_DOLLAR)
        parts.append(text or sign or (dollar if currency == "$" else currency) or bare)
    return "".join(parts).strip()


def unescaped(text: str) -> str:
    """Return a text with what XML cannot hold: `_x000D_` is the end of a line."""
    if "_x" not in text:
        return text
    plain = ESCAPED.sub(lambda found: chr(int(found[1], 16)), text).replace("\0", "")
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def text_of(value: str) -> str | None:
    """Return a text; None where it is blank.

    Raises:
        RefusedError: longer than a cell can hold.
    """
    if len(value) > MAX_TEXT:
        raise RefusedError("text")
    return value if value.strip() else None


def number_of(text: str, written: str = "") -> Any:
    """Return a number as JSON holds it, with what its format has `written` beside it."""
    if text.isdecimal() and len(text) < 16:
        return {"n": text, "written": written} if written else int(text)
    try:
        number = float(text)
    except ValueError:
        return {"x": "not a number"}
    if number - number:
        return {"x": "not a number"}
    return {"n": repr(number), "written": written} if written else {"n": repr(number)}


def day_written(text: str) -> Any:
    """Return a day that is written as such; another text as it is."""
    try:
        return {"d": date.fromisoformat(text[:10]).isoformat()}
    except ValueError:
        return text


def day_or_time(text: str, *, is_1904: bool, is_duration: bool) -> Any:
    """Return a number that is shown as a day; as a text one that is shown as a time or duration."""
    try:
        days = float(text)
    except ValueError:
        return {"x": "not a date"}
    if not 0 <= days < MOST_DAYS:
        return {"x": "not a date"}
    if is_duration or days < 1:
        return str(timedelta(seconds=round(days * 86_400)))
    if not is_1904 and days < LEAP_DAY_1900:
        days += 1
    epoch = EPOCH_1904 if is_1904 else EPOCH_1900
    return {"d": (epoch + timedelta(days=days)).date().isoformat()}
