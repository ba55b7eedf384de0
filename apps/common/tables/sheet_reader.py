"""A program that reads the first sheet of a workbook, for `spreadsheets.py`: the file is its
standard input.

It writes each row that holds something as one line of JSON: its number and its cells. A cell is a
text, an integer, null, or an object: `n` a number's digits, `d` a date, `x` why there is no value
(beside it `stored`, the value that a formula had). Exit code 0: that was the whole sheet; anything
else, a crash or the end of its time or memory included: the file cannot be used. With the argument
`all` it reads each sheet that is shown, behind a line with its name as a text, and writes `true`
behind the cells of a row that is hidden; of a sheet that is hidden it writes its name alone, as the
object `hidden`. It knows neither Django nor the portal.
"""

import json
import resource
import sys
import zipfile
from datetime import date
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[3]))  # isolated, it would not find its neighbours

from apps.common.tables.parts import Attributes, Parts, RefusedError, safe_parser
from apps.common.tables.sheet_values import (
    PLAIN,
    Style,
    column_of,
    day_or_time,
    day_written,
    is_true,
    is_zero,
    number_of,
    style_of,
    text_of,
    unescaped,
)

CPU_SECONDS = 60
MEMORY_BYTES = 1024**3
MAX_NUMBER = 1_048_576
MAX_COLUMNS = 256
OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
NAMESPACES = (
    "http://schemas.openxmlformats.org/spreadsheetml/2006/main",
    "http://purl.oclc.org/ooxml/spreadsheetml/main",  # the standard's strict form
)
LOCAL_NAMES = {
    f"{namespace} {name}": name
    for namespace in NAMESPACES
    for name in (
        *("row", "c", "v", "f", "t", "si", "rPh"),
        *("numFmt", "font", "strike", "cellXfs", "xf"),
    )
}


def main() -> int:
    """Read the sheet and return an exit code."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    try:
        write_rows()
    except BrokenPipeError:
        return 0
    except RefusedError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except Exception as error:  # whatever a broken file makes of its reader
        sys.stderr.write(f"{type(error).__name__}\n")
        return 1
    return 0


def write_rows() -> None:
    """Write the rows of the first sheet that is shown.

    Raises:
        RefusedError: no sheet, or one beyond what a spreadsheet can hold.
        Exception: damaged.
    """
    is_old = sys.stdin.buffer.read(len(OLD_OFFICE)) == OLD_OFFICE
    sys.stdin.buffer.seek(0)
    write_old_rows() if is_old else write_new_rows(all_sheets=sys.argv[1:] == ["all"])
    sys.stdout.flush()


def write_old_rows() -> None:
    """Write the rows of an xls file. Its formulas come as the values that they had."""
    from python_calamine import CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum

    book = CalamineWorkbook.from_filelike(sys.stdin.buffer)
    shown = (SheetTypeEnum.WorkSheet, SheetVisibleEnum.Visible)
    name = next(
        (sheet.name for sheet in book.sheets_metadata if (sheet.typ, sheet.visible) == shown), None
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
        book = Book(Parts(archive))
        sheets = list(book.parts.sheets())
        shown = [sheet for sheet in sheets if sheet.is_shown]
        if not shown:
            raise RefusedError("no sheet")
        for sheet in shown if all_sheets else shown[:1]:
            if all_sheets:
                sys.stdout.write(json.dumps(sheet.name) + "\n")
            SheetReader(book, tells_all=all_sheets).read(sheet.path)
        for sheet in sheets if all_sheets else ():
            if not sheet.is_shown:
                sys.stdout.write(json.dumps({"hidden": sheet.name}) + "\n")


class Book:
    """What the cells of all sheets of a workbook are read by: texts, styles and the first day."""

    def __init__(self, parts: Parts) -> None:
        self.parts = parts
        settings = parts.elements(parts.main, "workbookPr")
        self.is_1904 = any(is_true(one.get("date1904", "")) for one in settings)
        self.texts = TextsReader(parts).texts
        self.styles = StylesReader(parts).styles

    def text(self, number: str) -> str:
        """Return a text by its number in the table of texts.

        Raises:
            IndexError, ValueError: there is none.
        """
        place = int(number)
        if place < 0:
            raise IndexError(number)
        return self.texts[place]

    def style(self, number: str | None) -> Style:
        """Return a style by its number; that of no style where there is none."""
        place = int(number) if number else 0
        return self.styles[place] if 0 <= place < len(self.styles) else PLAIN


class PartReader:
    """Reads a part once; a subclass says what it makes of its elements."""

    def __init__(self) -> None:
        self.pieces: list[str] = []
        self.parser = safe_parser(" ")
        self.parser.buffer_text = True
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end

    def parse(self, parts: Parts, path: str) -> None:
        """Read a part to its end."""
        with parts.open(path) as part:
            self.parser.ParseFile(part)

    def _start(self, name: str, attributes: Attributes) -> None:
        if (local := LOCAL_NAMES.get(name)) is not None:
            self.on_start(local, attributes)

    def _end(self, name: str) -> None:
        if (local := LOCAL_NAMES.get(name)) is not None:
            self.on_end(local)

    def on_start(self, name: str, attributes: Attributes) -> None:
        """Take the beginning of an element."""

    def on_end(self, name: str) -> None:
        """Take the end of an element."""

    def listen(self) -> None:
        """Keep the text that follows."""
        self.pieces = []
        self.parser.CharacterDataHandler = self.pieces.append

    def heard(self) -> str:
        """Return the text that was kept, and keep no more."""
        self.parser.CharacterDataHandler = None
        return "".join(self.pieces)


class TextsReader(PartReader):
    """Reads the table of texts. Of a text in pieces all are one, less how it is pronounced."""

    def __init__(self, parts: Parts) -> None:
        super().__init__()
        self.texts: list[str] = []
        self.text = ""
        self.is_aloud = False
        if path := parts.path_of("sharedStrings"):
            self.parse(parts, path)

    def on_start(self, name: str, attributes: Attributes) -> None:
        """Take the beginning of a text, or of a piece of it."""
        if name == "si":
            self.text = ""
        elif name == "rPh":
            self.is_aloud = True
        elif name == "t" and not self.is_aloud:
            self.listen()

    def on_end(self, name: str) -> None:
        """Take the end of a text, or of a piece of it."""
        if name == "si":
            self.texts.append(unescaped(self.text))
        elif name == "rPh":
            self.is_aloud = False
        elif name == "t" and not self.is_aloud:
            self.text += self.heard()


class StylesReader(PartReader):
    """Reads of the styles what they say of numbers; whatever else is in them may be wrong."""

    def __init__(self, parts: Parts) -> None:
        super().__init__()
        self.styles: list[Style] = []
        self.codes: dict[str, str] = {}
        self.crossed_out: list[bool] = []
        self.is_of_cells = False
        if (path := parts.path_of("styles")) in parts.names:
            self.parse(parts, path)

    def on_start(self, name: str, attributes: Attributes) -> None:
        """Take a format, a font, or a style of cells."""
        if name == "numFmt":
            self.codes[attributes.get("numFmtId", "")] = attributes.get("formatCode", "")
        elif name == "font":
            self.crossed_out.append(False)
        elif name == "strike" and self.crossed_out:
            self.crossed_out[-1] = is_true(attributes.get("val", "1"))
        elif name == "cellXfs":
            self.is_of_cells = True
        elif name == "xf" and self.is_of_cells:
            self.styles.append(self._style(attributes))

    def on_end(self, name: str) -> None:
        """Take the end of the styles of cells."""
        if name == "cellXfs":
            self.is_of_cells = False

    def _style(self, attributes: Attributes) -> Style:
        number, font = attributes.get("numFmtId") or "0", int(attributes.get("fontId") or "0")
        is_crossed_out = font < len(self.crossed_out) and self.crossed_out[font]
        return style_of(int(number), self.codes.get(number), is_crossed_out=is_crossed_out)


class SheetReader(PartReader):
    """Reads a sheet and writes its rows. With `tells_all` rows tell that they are hidden, and
    numbers that they are crossed out.
    """

    def __init__(self, book: Book, *, tells_all: bool) -> None:
        super().__init__()
        self.book, self.tells_all = book, tells_all
        self.number, self.is_hidden = 0, False
        self.cells: list[Any] = []
        self.column = 0
        self.cell: Attributes = {}
        self.value = self.text = ""  # what stands in the cell as `v`, and as `t`
        self.is_formula = self.is_aloud = False

    def read(self, path: str) -> None:
        """Write the rows of the sheet in a part.

        Raises:
            RefusedError: more rows than a spreadsheet can hold.
        """
        self.parse(self.book.parts, path)

    def on_start(self, name: str, attributes: Attributes) -> None:
        """Take the beginning of a row, a cell, or what is in it."""
        if name == "v" or (name == "t" and not self.is_aloud):
            self.listen()
        elif name == "c":
            self.cell, self.is_formula = attributes, False
            self.value = self.text = ""
            place = attributes.get("r")
            self.column = column_of(place) if place else self.column + 1
        elif name == "row":
            self.number = int(attributes.get("r") or self.number + 1)
            if self.number > MAX_NUMBER:
                raise RefusedError("rows")
            self.cells, self.column = [], 0
            self.is_hidden = is_true(attributes.get("hidden", "")) or is_zero(attributes.get("ht"))
        elif name == "f":
            self.is_formula = True
        elif name == "rPh":
            self.is_aloud = True

    def on_end(self, name: str) -> None:
        """Take the end of a row, a cell, or what is in it."""
        if name == "v":
            self.value = self.heard()
        elif name == "c":
            self._place()
        elif name == "t":
            if not self.is_aloud:
                self.text += self.heard()
        elif name == "row":
            write_row(self.number, self.cells, is_hidden=self.tells_all and self.is_hidden)
        elif name == "rPh":
            self.is_aloud = False

    def _place(self) -> None:
        """Put the cell into its row."""
        if self.column > MAX_COLUMNS:
            return
        value = self._cell()
        if value is not None:
            self.cells += [None] * (self.column - len(self.cells))
            self.cells[self.column - 1] = value

    def _cell(self) -> Any:
        """Return the cell as JSON holds it."""
        kind, style = self.cell.get("t") or "n", self.book.style(self.cell.get("s"))
        value = self._value(kind, style)
        is_number = value is not None and not isinstance(value, str)
        if self.tells_all and style.is_crossed_out and is_number:
            return {"x": "a number that is crossed out", "stored": value}
        if not self.is_formula or kind == "e":
            return value
        if value is None and kind == "str":  # it shows nothing
            return None
        return {"x": "a formula instead of a value", "stored": value}

    def _value(self, kind: str, style: Style) -> Any:
        """Return what stands in the cell; None for nothing."""
        if kind in ("inlineStr", "str"):
            return text_of(unescaped(self.text or self.value))
        value = self.value.strip()
        if not value:
            return None
        match kind:
            case "s":
                return text_of(self.book.text(value))
            case "b":
                return "TRUE" if is_true(value) else "FALSE"
            case "e":
                return {"x": f"the error {value[:20]}"}
            case "d":
                return day_written(value)
        if style.is_day or style.is_duration:
            return day_or_time(value, is_1904=self.book.is_1904, is_duration=style.is_duration)
        if style.digits and value.isdigit():
            return value.zfill(style.digits)
        return number_of(value, style.written)


def write_row(number: int, cells: list[Any], *, is_hidden: bool = False) -> None:
    """Write a row without the empty cells at its end, if anything stays."""
    while cells and cells[-1] is None:
        cells.pop()
    if cells:
        row = [number, cells, True] if is_hidden else [number, cells]
        sys.stdout.write(json.dumps(row, ensure_ascii=True) + "\n")


if __name__ == "__main__":
    sys.exit(main())
