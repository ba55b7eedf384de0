"""A program that reads the first sheet of a workbook, for `spreadsheets.py`: the file is its
standard input.

It writes each row that holds something as one line of JSON: its number and its cells. A cell is a
text, an integer, null, or an object: `n` a number's digits, `d` a date, `x` why there is no value
(beside it `stored`, the value that a formula had). Exit code 0: that was the whole sheet; anything
else, a crash or the end of its time or memory included: the file cannot be used. With the argument
`all` it reads each sheet that is shown, behind a line with its name as a text, and writes
behind the cells of a row whether it is hidden, whether it is crossed out, the columns (from 0) of
cells that are, or a part of them, and the comments on cells, each with its column; behind the rows
of a sheet the object `spans`: first row, last row and column of each cell that reaches over several
rows. Of a sheet that is hidden it writes its name alone, as the object `hidden`. It knows
neither Django nor the portal.
"""

import json
import re
import sys
import zipfile
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple
from xml.etree.ElementTree import Element

sys.path.append(str(Path(__file__).parents[3]))  # isolated, it would not find its neighbours

from apps.common.tables.parts import Parts, RefusedError, column_of, exit_code, local_name

MAX_NUMBER = 1_048_576
MAX_COLUMNS = 256
OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
PLACE = re.compile(r"([A-Za-z]{1,3})\d{1,7}")
CELL = re.compile(r"([A-Z]{1,3})(\d{1,7})")
SPAN = re.compile(r"([A-Z]{1,3})(\d{1,7}):[A-Z]{1,3}(\d{1,7})")
MAX_TEXT, MAX_COMMENT = 32_767, 200
THREADED = re.compile(r"^\[Threaded comment\].*Comment:\s*")
ESCAPED = re.compile(r"_x([0-9A-Fa-f]{4})_")
# What a number's format shows: ids that are in no file, and codes less their texts and colours.
DAY_FORMATS = frozenset((*range(14, 23), *range(27, 37), 45, 47, *range(50, 59)))
DURATION_FORMATS, PERCENT_FORMATS = frozenset((46,)), frozenset((9, 10))
LONGEST_CODE = 255
# What a format writes beside a number: texts, single signs, and the currency in `[$HK$-C04]`, whose
# number is the place where a bare dollar is at home.
SIGN_PATTERN = re.compile(
    r'"([^"]*)"|\\(.)|[_*].|\[\$([^\]-]*)(?:-([0-9A-Fa-f]+))?[^\]]*\]|([$€£¥₩])'
)
# Whose dollar it is, by that place; of a place that is not here it is nobody's.
DOLLARS_AT = {"": "$", "409": "$", "C04": "HK$", "404": "NT$", "1009": "C$", "C0C": "C$"}
DOLLARS_AT |= {"C09": "A$", "1409": "NZ$", "1004": "S$", "80A": "MX$"}
UNKNOWN_DOLLAR = "X$"
LITERAL = re.compile(r'"[^"]*"|\\.|[_*].|\[(?!h+\]|m+\]|s+\])[^\[\]]*\]', re.IGNORECASE)
IN_THOUSANDS = re.compile(r"[0#?],+(?![,0#?])")
EPOCH_1900, EPOCH_1904 = datetime(1899, 12, 30), datetime(1904, 1, 1)  # noqa: DTZ001 - no zones
LEAP_DAY_1900 = 60  # a day that spreadsheets know and no calendar does
MOST_DAYS = 2_958_466  # the year 9999 is over


def write_rows() -> None:
    """Write the rows of the first sheet that is shown.

    Raises:
        RefusedError: no sheet, or one beyond what a spreadsheet can hold.
        Exception: damaged.
    """
    is_old = sys.stdin.buffer.read(len(OLD_OFFICE)) == OLD_OFFICE
    sys.stdin.buffer.seek(0)
    write_old_rows() if is_old else write_new_rows(all_sheets=sys.argv[1:] == ["all"])


def write_old_rows() -> None:
    """Write the rows of an xls file. Its formulas come as the values that they had."""
    from python_calamine import CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

    book = CalamineWorkbook.from_filelike(sys.stdin.buffer)
    visible = (SheetTypeEnum.WorkSheet, SheetVisibleEnum.Visible)
    name = next(
        (sheet.name for sheet in book.sheets_metadata if (sheet.typ, sheet.visible) == visible),
        None,
    )
    if name is None:
        raise RefusedError("no sheet")
    for number, row in enumerate(book.get_sheet_by_name(name).iter_rows(), 1):
        write_row(number, [old_value(value) for value in row[:MAX_COLUMNS]])


def old_value(value: Any) -> Any:
    """Return the value of a cell of an xls file as JSON holds it."""
    match value:
        case str():
            return text_of(value)
        case bool():
            return str(value).upper()
        case float() | int():
            return number_of(repr(value))
        case date():  # a moment of a day too
            return {"d": value.isoformat()[:10]}
    return str(value)


def write_new_rows(*, all_sheets: bool) -> None:
    """Write the rows of an xlsx file: of the first sheet that is shown, or of all."""
    with zipfile.ZipFile(sys.stdin.buffer) as archive:
        book = Book(Parts(archive), tells_all=all_sheets)
        sheets = list(book.parts.sheets())
        visible = [sheet for sheet in sheets if sheet.is_shown]
        if not visible:
            raise RefusedError("no sheet")
        for sheet in visible if all_sheets else visible[:1]:
            if all_sheets:
                sys.stdout.write(json.dumps(sheet.name) + "\n")
            for number, cells, *flags in book.rows(sheet.path):
                write_row(number, cells, flags if all_sheets else ())
            if all_sheets and book.spans:
                sys.stdout.write(json.dumps({"spans": book.spans}) + "\n")
        for sheet in sheets if all_sheets else ():
            if not sheet.is_shown:
                sys.stdout.write(json.dumps({"hidden": sheet.name}) + "\n")


class Style(NamedTuple):
    """What a cell's style says of its number."""

    is_day: bool = False
    is_duration: bool = False
    is_crossed_out: bool = False
    unit: str = ""  # what is shown beside the number: `HK$`
    digits: int = 0  # as many as a format of zeros alone shows: `0000000`


PLAIN = Style()


class CrossedOut(str):
    """A text that is crossed out, or what remains of one that is in part."""


class Book:
    """Reads the sheets of a workbook by its texts, its styles and its first day. With `tells_all`
    numbers tell that they are crossed out.
    """

    def __init__(self, parts: Parts, *, tells_all: bool) -> None:
        self.parts, self.tells_all = parts, tells_all
        settings = parts.elements(parts.main, "workbookPr")
        self.is_1904 = any(is_true(one.get("date1904")) for one in settings)
        texts = parts.path_of("sharedStrings")
        self.texts = dict(enumerate(map(self._text, parts.elements(texts, "si"))))
        self.styles = dict(enumerate(self._styles()))
        self.crossed_out: dict[int, bool] = {}  # the cells of a row that hold something
        self.spans: list[tuple[int, int, int]] = []  # of the sheet whose rows were read last

    def _styles(self) -> Iterator[Style]:
        """Yield the styles of cells by what they say of numbers; whatever else is in them may be
        wrong.
        """
        codes: dict[str, str] = {}
        crossed_out: list[bool] = []
        path = self.parts.path_of("styles")
        for element in self.parts.elements(path, "numFmt", "font", "cellXfs"):
            match local_name(element.tag):
                case "numFmt":
                    codes[element.get("numFmtId", "")] = element.get("formatCode", "")
                case "font":
                    crossed_out.append(crosses_out(element))
                case _:
                    for style in element:
                        number = style.get("numFmtId") or "0"
                        font = int(style.get("fontId") or "0")
                        is_crossed_out = any(crossed_out[font : font + 1])
                        yield style_of(
                            int(number), codes.get(number), is_crossed_out=is_crossed_out
                        )

    def _text(self, element: Iterable[Element]) -> str:
        """Return a text; where it is told that a part of it is crossed out, what remains."""
        text = text_within(element)
        runs = [one for one in element if local_name(one.tag) == "r"] if self.tells_all else []
        rest = text_within(one for one in runs if not any(map(crosses_out, one)))
        if not runs or rest.split() == text.split():
            return text
        return CrossedOut(rest if rest.strip() else text)

    def _comments(self, path: str) -> dict[int, list[tuple[int, str]]]:
        """Return the comments on a sheet's cells by row, each with its column."""
        comments: dict[int, list[tuple[int, str]]] = {}
        for relation in self.parts.relations_of(path).values() if self.tells_all else ():
            parts = [relation.path] if relation.kind == "comments" else []
            for comment in (one for part in parts for one in self.parts.elements(part, "comment")):
                place = CELL.fullmatch(comment.get("ref", ""))
                text = " ".join("".join(map(text_within, comment)).split())
                if place and text:
                    text = THREADED.sub("", text)[:MAX_COMMENT]
                    comments.setdefault(int(place[2]), []).append((column_of(place[1]) - 1, text))
        return comments

    def rows(self, path: str) -> Iterator[tuple[Any, ...]]:
        """Yield the rows of a sheet: number, cells, whether it is hidden, whether it is crossed
        out (its first cell is, or most of its cells are), the columns of its cells that are, and
        its comments.

        Raises:
            RefusedError: more rows than a spreadsheet can hold.
        """
        number, self.spans = 0, []
        comments = self._comments(path)
        for row in self.parts.elements(path, "row", "mergeCell"):
            if local_name(row.tag) == "mergeCell":
                span = SPAN.fullmatch(row.get("ref", ""))
                if span and span[2] != span[3]:
                    self.spans.append((int(span[2]), int(span[3]), column_of(span[1]) - 1))
                continue
            number = int(row.get("r") or number + 1)
            if number > MAX_NUMBER:
                raise RefusedError("rows")
            is_hidden = is_true(row.get("hidden")) or not row.get("ht", "15").strip("0.")
            self.crossed_out = {}
            cells, crossed = self._cells(row), [*self.crossed_out.values()]
            columns = [column for column, is_crossed in self.crossed_out.items() if is_crossed]
            is_crossed = any(crossed[:1]) or sum(crossed) * 2 > len(crossed)
            noted = (columns, comments.get(number, [])) if columns or number in comments else ()
            yield number, cells, is_hidden, is_crossed, *noted

    def _cells(self, row: Element) -> list[Any]:
        cells: list[Any] = []
        column = 0
        for cell in row:
            if local_name(cell.tag) != "c":
                continue
            column += 1
            if place := cell.get("r"):
                address = PLACE.fullmatch(place)
                if address is None:
                    raise RefusedError("place")
                column = column_of(address[1])
            if column <= MAX_COLUMNS and (value := self._cell(cell, column - 1)) is not None:
                cells += [None] * (column - len(cells))
                cells[column - 1] = value
        return cells

    def _cell(self, cell: Element, column: int) -> Any:
        """Return the cell as JSON holds it; note whether it is crossed out."""
        kind, style = cell.get("t") or "n", self.styles.get(int(cell.get("s") or "0"), PLAIN)
        inside = {local_name(one.tag): one for one in cell}
        value = self._value(inside, kind, style)
        if value is not None:
            self.crossed_out[column] = style.is_crossed_out or isinstance(value, CrossedOut)
        is_number = value is not None and not isinstance(value, str)
        if self.tells_all and style.is_crossed_out and is_number:
            return {"x": "a number that is crossed out", "stored": value}
        if kind == "e" or "f" not in inside:
            return value
        if value is None and kind == "str":  # it shows nothing
            return None
        return {"x": "a formula instead of a value", "stored": value}

    def _value(self, inside: Mapping[str, Element], kind: str, style: Style) -> Any:
        """Return what stands in a cell; None for nothing."""
        text = inside["v"].text or "" if "v" in inside else ""
        if kind in ("inlineStr", "str"):
            return text_of(self._text(inside.get("is", ())) or unescaped(text))
        value = text.strip()
        if not value:
            return None
        match kind:
            case "s":
                return text_of(self.texts[int(value)])
            case "b":
                return "TRUE" if is_true(value) else "FALSE"
            case "e":
                return {"x": f"the error {value[:20]}"}
            case "d":
                return day_of_text(value)
        if style.is_day or style.is_duration:
            return day_or_time(value, is_1904=self.is_1904, is_duration=style.is_duration)
        if style.digits and value.isdigit():
            return value.zfill(style.digits)
        return number_of(value, style.unit)


def text_within(element: Iterable[Element]) -> str:
    """Return a text, of one in pieces all of them, less how it is pronounced."""
    pieces = (
        one.text or ""
        for part in element
        if local_name(part.tag) != "rPh"
        for one in part.iter()
        if local_name(one.tag) == "t"
    )
    return unescaped("".join(pieces))


def crosses_out(properties: Iterable[Element]) -> bool:
    """Return whether a font, or the properties of a part of a text, cross it out."""
    strikes = [one for one in properties if local_name(one.tag) == "strike"]
    return any(is_true(one.get("val", "1")) for one in strikes)


def is_true(text: str | None) -> bool:
    """Return whether an attribute, or a cell, is true."""
    return text in ("1", "true")


# What the cells of a workbook hold, from what is written in its parts.


def style_of(number: int, code: str | None, *, is_crossed_out: bool) -> Style:
    """Return a style by the number of its format, and the format's code where the file has one."""
    if code is None:
        unit = "%" if number in PERCENT_FORMATS else ""
        return Style(number in DAY_FORMATS, number in DURATION_FORMATS, is_crossed_out, unit)
    section = code.partition(";")[0][:LONGEST_CODE]
    pattern = LITERAL.sub("", section).lower()
    is_duration = "[" in pattern
    is_day = not is_duration and any(sign in pattern for sign in "dmhys")
    digits = len(code) if len(code) > 1 and not code.strip("0") else 0
    parts = []  # what it writes beside its number, a dollar by the place where it is at home
    for text, sign, currency, place, bare in SIGN_PATTERN.findall(section):
        dollar = DOLLARS_AT.get(place.upper().lstrip("0"), UNKNOWN_DOLLAR)
        parts.append(text or sign or (dollar if currency == "$" else currency) or bare)
    unit = "".join(parts).strip()
    if "%" in pattern:
        unit = f"% {unit}".strip()
    elif IN_THOUSANDS.search(pattern):
        unit = f"shown in thousands {unit}".strip()
    elif code and not pattern:
        unit = unit or "not shown"  # `;;;`
    return Style(is_day, is_duration, is_crossed_out, unit, digits)


def unescaped(text: str) -> str:
    """Return a text with what XML cannot hold: `_x000D_` is the end of a line."""
    if "_x" not in text:
        return text
    plain = ESCAPED.sub(lambda match: chr(int(match[1], 16)), text).replace("\0", "")
    return plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def text_of(value: str) -> str | None:
    """Return a text; None where it is blank.

    Raises:
        RefusedError: longer than a cell can hold.
    """
    if len(value) > MAX_TEXT:
        raise RefusedError("text")
    return value if value.strip() else None


def number_of(text: str, unit: str = "") -> Any:
    """Return a number as JSON holds it, with the `unit` that its format shows beside it."""
    if text.isdecimal() and len(text) < 16:
        return {"n": text, "written": unit} if unit else int(text)
    try:
        number = float(text)
    except ValueError:
        return {"x": "not a number"}
    if number - number:
        return {"x": "not a number"}
    return {"n": repr(number), "written": unit} if unit else {"n": repr(number)}


def day_of_text(text: str) -> Any:
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


def write_row(number: int, cells: list[Any], flags: Sequence[bool] = ()) -> None:
    """Write a row without the empty cells at its end, if anything stays."""
    while cells and cells[-1] is None:
        cells.pop()
    if cells:
        sys.stdout.write(json.dumps([number, cells, *flags], ensure_ascii=True) + "\n")


if __name__ == "__main__":
    sys.exit(exit_code(write_rows))
