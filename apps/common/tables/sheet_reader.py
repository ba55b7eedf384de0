"""A program that reads the first sheet of a workbook, for `spreadsheets.py`: the file is its
standard input.

It writes each row that holds something as one line of JSON: its number and its cells. A cell is a
text, an integer, null, or an object: `n` a number's digits, `d` a date, `x` why there is no value.
Exit code 0: that was the whole sheet; anything else, a crash or the end of its time or memory
included: the file cannot be used. With the argument `all` it reads each sheet that is shown, behind
a line with its name as a text, and writes `true` behind the cells of a row that is hidden; of a
sheet that is hidden it writes its name alone, as the object `hidden`. It knows neither Django nor
the portal.
"""

import json
import re
import resource
import sys
import warnings
from collections.abc import Callable, Collection, Iterable, Iterator
from datetime import date, datetime
from typing import IO, Any

CPU_SECONDS = 60
MEMORY_BYTES = 1024**3
MAX_NUMBER = 1_048_576
MAX_COLUMNS = 256
MAX_TEXT = 32_767
OLD_OFFICE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
PIECE, LONGEST_TAG = 1024 * 1024, 65_536
ROW = re.compile(rb"<(?:\w+:)?row(?=[\s/>])([^<>]*)>")
ROW_NUMBER = re.compile(rb"""\sr=["'](\d{1,7})["']""")
IS_HIDDEN = re.compile(rb"""\s(?:hidden=["'](?:1|true)|ht=["']0(?:\.0+)?)["']""")


class RefusedError(Exception):
    """The file cannot be used; the text is a word for the log."""


def main() -> int:
    """Read the sheet and return an exit code."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    warnings.simplefilter("ignore")
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
    if isinstance(value, str):
        return text_of(value)
    return int(value) if isinstance(value, float) and value.is_integer() else number_or_date(value)


def write_new_rows(*, all_sheets: bool) -> None:
    """Write the rows of an xlsx file: of the first sheet that is shown, or of all."""
    import openpyxl

    if not openpyxl.DEFUSEDXML:
        raise RefusedError("defusedxml is missing")
    book = openpyxl.load_workbook(sys.stdin.buffer, read_only=True, keep_links=False)
    sheets = [sheet for sheet in book.worksheets if sheet.sheet_state == "visible"]
    if not sheets:
        raise RefusedError("no sheet")
    for sheet in sheets if all_sheets else sheets[:1]:
        if all_sheets:
            sys.stdout.write(json.dumps(sheet.title) + "\n")
            write_sheet(sheet, shown_of, hidden=set(hidden_rows(sheet._get_source())))
        else:
            write_sheet(sheet, value_of)
    if all_sheets:
        write_hidden_names(book.worksheets)


def write_hidden_names(sheets: Iterable[Any]) -> None:
    """Write the names of the sheets that are hidden."""
    for sheet in sheets:
        if sheet.sheet_state != "visible":
            sys.stdout.write(json.dumps({"hidden": sheet.title}) + "\n")


def hidden_rows(part: IO[bytes]) -> Iterator[int]:
    """Yield the numbers of a sheet's rows that are hidden, by hand or by a filter: openpyxl does
    not tell here.
    """
    number, rest = 0, b""
    with part:
        for piece in iter(lambda: part.read(PIECE), b""):
            text = rest + piece
            for row in ROW.finditer(text):
                said = ROW_NUMBER.search(row[1])
                number = int(said[1]) if said else number + 1
                if IS_HIDDEN.search(row[1]):
                    yield number
            start = text.rfind(b"<")
            rest = text[start:] if start >= 0 and text.find(b">", start) < 0 else b""
            rest = rest if len(rest) < LONGEST_TAG else b""


def write_sheet(sheet: Any, as_json: Callable[[Any], Any], *, hidden: Collection[int] = ()) -> None:
    """Write the rows of a sheet, each cell as `as_json` makes it, and that those are hidden.

    Raises:
        RefusedError: more rows than a spreadsheet can hold.
    """
    sheet.reset_dimensions()  # what a file says of its size may be wrong
    for number, row in enumerate(sheet.iter_rows(), 1):
        if number > MAX_NUMBER:
            raise RefusedError("rows")
        write_row(number, [as_json(cell) for cell in row[:MAX_COLUMNS]], is_hidden=number in hidden)


def shown_of(cell: Any) -> Any:
    """Return a cell as JSON holds it; a number that is crossed out is no value."""
    value = value_of(cell)
    if value is not None and not isinstance(value, str) and cell.has_style and cell.font.strike:
        return {"x": "a number that is crossed out"}
    return value


def write_row(number: int, cells: list[Any], *, is_hidden: bool = False) -> None:
    """Write a row without the empty cells at its end, if anything stays."""
    while cells and cells[-1] is None:
        cells.pop()
    if cells:
        row = [number, cells, True] if is_hidden else [number, cells]
        sys.stdout.write(json.dumps(row, ensure_ascii=True) + "\n")


def value_of(cell: Any) -> Any:
    """Return a cell as JSON holds it."""
    value = cell.value
    if value is None:
        return None
    if cell.data_type == "f":
        return {"x": "a formula instead of a value"}
    if cell.data_type == "e":
        return {"x": f"the error {str(value)[:20]}"}
    return text_of(value) if isinstance(value, str) else number_or_date(value)


def text_of(value: str) -> str | None:
    """Return a text; None where it is blank.

    Raises:
        RefusedError: longer than a cell can hold.
    """
    if len(value) > MAX_TEXT:
        raise RefusedError("text")
    return value if value.strip() else None


def number_or_date(value: Any) -> Any:
    """Return a value that is no text, as JSON holds it."""
    match value:
        case bool():
            return str(value).upper()
        case int():
            return value
        case float():
            return {"n": repr(value)} if value - value == 0 else {"x": "not a number"}
        case datetime():
            return {"d": value.date().isoformat()}
        case date():
            return {"d": value.isoformat()}
    return str(value)


if __name__ == "__main__":
    sys.exit(main())
