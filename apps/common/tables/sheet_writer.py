"""A program that adds columns at the right of a workbook's sheets, for `answered.py`: it knows
nothing of the portal.

Standard input: one line of JSON, then the workbook. For each sheet (`sheet`, empty: the first that
is shown) the line has `head` (the row of the headings, 0: none), `titles`, and `rows`: a row's
number and its cells; `total` is one more, which is added where it is not there. A cell is a text,
null, or a number's digits as `n`, which looks like the column `money` if it `is_money`. Standard
output: the workbook. Its parts are as they were, but for the sheets with new cells; of those the
new cells, the widths of their columns and what a sheet says of its extent (`dimension`, `spans`)
alone differ. They are found by their place in the bytes; nothing is written anew. Exit code 0:
done; anything else: the file cannot be used.
"""

import io
import json
import re
import resource
import sys
import zipfile
from collections.abc import Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any

sys.path.append(str(Path(__file__).parents[3]))  # isolated, it would not find its neighbours

from apps.common.tables.parts import Attributes, Parts, RefusedError, safe_parser

CPU_SECONDS = 60
MEMORY_BYTES = 1024**3
MOST_COLUMNS = 16_384
CELL = re.compile(r"([A-Z]{1,3})(\d{1,7})")
# A tag in bytes, and what it says of an extent.
TAG = re.compile(rb"<(?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*>")
SPANS = re.compile(rb"(\sspans\s*=\s*[\"']\d+:)(\d+)([\"'])")
EXTENT = re.compile(rb"(\sref\s*=\s*[\"'][A-Z]+\d+:)([A-Z]+)(\d+[\"'])")
WIDEST = 40  # characters of a new column
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Edit = tuple[int, int, bytes]


def main() -> int:
    """Add the columns and return an exit code."""
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    try:
        wanted = json.loads(sys.stdin.buffer.readline())
        sys.stdout.buffer.write(answered(io.BytesIO(sys.stdin.buffer.read()), wanted))
        sys.stdout.flush()
    except RefusedError as error:
        sys.stderr.write(f"{error}\n")
        return 1
    except Exception as error:  # whatever a broken file makes of its reader
        sys.stderr.write(f"{type(error).__name__}\n")
        return 1
    return 0


def answered(book: io.BytesIO, wanted: Sequence[Any]) -> bytes:
    """Return the workbook with the new cells.

    Raises:
        RefusedError: a sheet that is not there, or has no room.
        Exception: damaged.
    """
    file = io.BytesIO()
    with zipfile.ZipFile(book) as old, zipfile.ZipFile(file, "w") as new:
        paths = sheet_paths(Parts(old))
        added = {paths[one["sheet"]]: one for one in wanted}
        for part in old.infolist():
            content = old.read(part)
            if part.filename in added:
                content = with_columns(content, added[part.filename])
            new.writestr(copied(part), content)
    return file.getvalue()


def copied(part: zipfile.ZipInfo) -> zipfile.ZipInfo:
    """Return what an archive says of a part, without its places in it."""
    new = zipfile.ZipInfo(part.filename, part.date_time)
    new.compress_type, new.comment = part.compress_type, part.comment
    new.create_system, new.external_attr = part.create_system, part.external_attr
    return new


def sheet_paths(parts: Parts) -> dict[str, str]:
    """Return the names of the parts of the sheets by their names, and of the first that is shown by
    the empty name.
    """
    paths: dict[str, str] = {}
    for sheet in parts.sheets():
        paths[sheet.name] = parts.names[sheet.path]
        if sheet.is_shown:
            paths.setdefault("", paths[sheet.name])
    return paths


class Walk:
    """Reads a sheet once and tells what stands where in its bytes; a subclass says what it makes of
    it.
    """

    def __init__(self, content: bytes) -> None:
        self.content = content
        self.prefix: str | None = None
        self.row = self.column = self.row_at = self.cell_at = 0
        self.holds, self.style = False, ""
        self.parser = safe_parser()
        self.parser.StartElementHandler = self._start
        self.parser.EndElementHandler = self._end

    def run(self) -> None:
        """Read the sheet."""
        self.parser.Parse(self.content, True)

    def on_cell(self, start: int, end: int) -> None:
        """Take a cell: the row, the column, and whether it holds anything, are known."""

    def on_row(self, start: int, end: int, *, is_empty: bool) -> None:
        """Take a row, which ends with the tag at `end`, or just before it where it is one empty
        tag.
        """

    def on_other(self, name: str, attributes: Attributes) -> None:
        """Take the beginning of any other element."""

    def on_end(self, at: int) -> None:
        """Take the place behind the last row."""

    def _start(self, name: str, attributes: Attributes) -> None:
        if self.prefix is None:
            self.prefix = name.removesuffix("worksheet")
        local = name.removeprefix(self.prefix)
        if local == "c":
            known = CELL.fullmatch(attributes.get("r", ""))
            self.column = number_of(known[1]) if known else self.column + 1
            self.cell_at, self.holds = self.parser.CurrentByteIndex, False
            self.style = attributes.get("s", "")
        elif local == "row":
            self.row = int(attributes.get("r", self.row + 1))
            self.row_at, self.column = self.parser.CurrentByteIndex, 0
        elif local in ("v", "f", "is"):
            self.holds = True
        else:
            self.on_other(local, attributes)

    def _end(self, name: str) -> None:
        local = name.removeprefix(self.prefix or "")
        at = self.parser.CurrentByteIndex
        if local == "sheetData":
            self.on_end(at)
        if local not in ("c", "row"):
            return
        # Behind an empty tag the reader stands at its end, else before the closing tag.
        is_empty = not self.content.startswith(b"</" + name.encode(), at)
        if local == "row":
            self.on_row(self.row_at, at, is_empty=is_empty)
        else:
            self.on_cell(self.cell_at, at if is_empty else self.content.index(b">", at) + 1)


class LastColumn(Walk):
    """Finds the last column that holds anything, and what else a new column must stand behind to be
    seen.
    """

    def __init__(self, content: bytes) -> None:
        super().__init__(content)
        self.last = 0
        self.merged: list[int] = []  # the last column of merged cells
        self.hidden: list[tuple[int, int]] = []
        self.described = self.described_to = self.rows_at = 0  # what has widths, and where that is

    def on_cell(self, start: int, end: int) -> None:
        """Take a cell with a value."""
        if self.holds:
            self.last = max(self.last, self.column)

    def on_other(self, name: str, attributes: Attributes) -> None:
        """Take merged cells and hidden columns: a new column would not be seen there."""
        if name == "mergeCell":
            known = CELL.fullmatch(attributes["ref"].rpartition(":")[2])
            self.merged.append(number_of(known[1]) if known else 0)
        elif name == "col":
            tag = TAG.match(self.content, self.parser.CurrentByteIndex)
            self.described_to = tag.end() if tag and tag[0].endswith(b"/>") else 0
            self.described = max(self.described, int(attributes["max"]))
            if attributes.get("hidden") in ("1", "true"):
                self.hidden.append((int(attributes["min"]), int(attributes["max"])))
        elif name == "sheetData":
            self.rows_at = self.parser.CurrentByteIndex

    def widths(self, first: int, columns: Sequence[Sequence[Any]]) -> list[Edit]:
        """Return the edit that makes new columns as wide as what stands in them; none where the
        sheet says already how wide they are.
        """
        if self.described >= first or (self.described and not self.described_to):
            return []
        written = ""
        for number, cells in enumerate(columns, first):
            texts = (str(cell["n"]) if isinstance(cell, dict) else cell or "" for cell in cells)
            width = min(WIDEST, max(map(len, texts)) + 2)
            size = f'min="{number}" max="{number}" width="{width}" customWidth="1"'
            written += f"<{self.prefix}col {size}/>"
        if not self.described:
            written = f"<{self.prefix}cols>{written}</{self.prefix}cols>"
        at = self.described_to or self.rows_at
        return [(at, at, written.encode())]

    def before(self, width: int) -> int:
        """Return the column that so many new ones follow; what reaches to the sheet's end is not
        waited for.

        Raises:
            RefusedError: no room.
        """
        last = max([self.last, *(one for one in self.merged if one + width <= MOST_COLUMNS)])
        for first, end in sorted(self.hidden):
            if first <= last + width and last < end and end + width <= MOST_COLUMNS:
                last = end
        if last + width > MOST_COLUMNS:
            raise RefusedError("no room")
        return last


class Insertions(Walk):
    """Gathers the edits that put cells into rows, from a column on."""

    def __init__(
        self,
        content: bytes,
        rows: Mapping[int, Sequence[Any]],
        first: int,
        added: Mapping[str, Any],
    ) -> None:
        super().__init__(content)
        self.rows, self.first, self.end = dict(rows), first, first + len(added["titles"]) - 1
        self.head, self.head_style = added["head"], ""  # of the last heading: the new look like it
        self.money, self.money_style = added["money"], ""
        self.total: int | None = None
        self.totals: Sequence[Any] = ()
        if added["total"]:
            self.total, self.totals = added["total"]
        self.edits: list[Edit] = []
        self.blank: list[tuple[int, int]] = []  # cells without a value where the new ones go
        self.behind: int | None = None  # where the first cell at the right of the values begins

    def on_cell(self, start: int, end: int) -> None:
        """Note how a heading looks, and a cell without a value at the right of all values."""
        if self.holds and self.row == self.head:
            self.head_style = self.style
        elif self.holds and self.column == self.money:
            self.money_style = self.style
        if self.row in self.rows and self.column >= self.first:
            self.behind = start if self.behind is None else self.behind
            if self.column <= self.end:
                self.blank.append((start, end))

    def on_row(self, start: int, end: int, *, is_empty: bool) -> None:
        """Put a row's new cells in their place."""
        if self.total is not None and self.total < self.row:
            self.on_end(start)
        if self.total == self.row:
            self.rows[self.row], self.total = self.totals, None
        cells = self.rows.pop(self.row, None)
        behind, blank, self.behind, self.blank = self.behind, self.blank, None, []
        if cells is None:
            return
        written = self._written(self.row, cells)
        tag = TAG.match(self.content, start)
        if tag is None:
            raise RefusedError("row")
        wider = SPANS.sub(
            lambda found: found[1] + str(max(int(found[2]), self.end)).encode() + found[3], tag[0]
        )
        if is_empty:
            name = f"{self.prefix}row".encode()
            self.edits.append((start, end, wider[:-2] + b">" + written + b"</" + name + b">"))
            return
        self.edits.append((start, tag.end(), wider))
        place = end if behind is None else behind
        self.edits.append((place, place, written))
        self.edits += [(first, last, b"") for first, last in blank]

    def on_other(self, name: str, attributes: Attributes) -> None:
        """Make the extent that the sheet says it has, as wide as it will be."""
        if name == "dimension":
            start = self.parser.CurrentByteIndex
            tag = TAG.match(self.content, start)
            if tag is not None:
                self.edits.append((start, tag.end(), EXTENT.sub(self._wider, tag[0])))

    def _wider(self, found: re.Match[bytes]) -> bytes:
        last = max(number_of(found[2].decode()), self.end)
        return found[1] + letters_of(last).encode() + found[3]

    def on_end(self, at: int) -> None:
        """Add the row of totals, unless it is there."""
        if self.total is not None:
            cells = self._written(self.total, self.totals).decode("ascii")
            row = f'<{self.prefix}row r="{self.total}">{cells}</{self.prefix}row>'
            self.edits.append((at, at, row.encode()))
            self.total = None

    def _written(self, row: int, cells: Sequence[Any]) -> bytes:
        written = b""
        for column, cell in enumerate(cells, self.first):
            is_money = isinstance(cell, dict) and cell["is_money"]
            style = self.head_style if row == self.head else self.money_style if is_money else ""
            look = f' s="{style}"' if style.isdecimal() else ""
            written += written_cell(self.prefix or "", f'r="{letters_of(column)}{row}"{look}', cell)
        return written


def written_cell(prefix: str, attributes: str, value: Any) -> bytes:
    """Return a cell: a number, or a text in place, never a formula; nothing for nothing."""
    if value is None or value == "":
        return b""
    if isinstance(value, str):
        text = escape(NOT_IN_XML.sub("", value), quote=False)
        inside = f'<{prefix}is><{prefix}t xml:space="preserve">{text}</{prefix}t></{prefix}is>'
        written = f'<{prefix}c {attributes} t="inlineStr">{inside}</{prefix}c>'
    else:
        written = f"<{prefix}c {attributes}><{prefix}v>{value['n']}</{prefix}v></{prefix}c>"
    return written.encode("ascii", "xmlcharrefreplace")  # fits every encoding that a sheet may have


def with_columns(content: bytes, added: Mapping[str, Any]) -> bytes:
    """Return a sheet with its new cells.

    Raises:
        RefusedError: no room at the right, a row that is not there, or an encoding that no
            spreadsheet writes.
    """
    if b"\x00" in content[:200]:
        raise RefusedError("encoding")
    titles = added["titles"]
    last = LastColumn(content)
    last.run()
    rows = {int(number): cells for number, cells in added["rows"]}
    if added["head"]:
        rows[added["head"]] = titles
    first = last.before(len(titles)) + 1
    insertions = Insertions(content, rows, first, added)
    insertions.run()
    if insertions.rows:
        raise RefusedError("no such row")
    columns = list(zip(titles, *rows.values(), insertions.totals or titles, strict=True))
    return edited(content, [*insertions.edits, *last.widths(first, columns)])


def edited(content: bytes, edits: Sequence[Edit]) -> bytes:
    """Return bytes with pieces replaced; what is put in goes before what is replaced at the same
    place.
    """
    pieces, at = [], 0
    for start, end, piece in sorted(edits, key=lambda edit: edit[:2]):
        pieces += [content[at:start], piece]
        at = end
    return b"".join([*pieces, content[at:]])


def number_of(letters: str) -> int:
    """Return a column's number from its letters, from 1."""
    number = 0
    for letter in letters:
        number = number * 26 + ord(letter) - 64
    return number


def letters_of(number: int) -> str:
    """Return a column's letters from its number, from 1."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


if __name__ == "__main__":
    sys.exit(main())
