"""A program that adds columns at the right of a workbook's sheets, for `answered.py`: it knows
nothing of the portal.

Standard input: one line of JSON, then the workbook. For each sheet (`sheet`, empty: the first that
is shown) the line has `head` (the row of the headings, 0: none), `titles`, and `rows`: a row's
number and its cells; `total` is one more, which is added where it is not there, and stands below
all rows that hold something where more follow. A cell is a text,
null, or a number's digits as `n`, which looks like the column `money` if it `is_money`. Standard
output: the workbook. Its parts are as they were, but for the sheets with new cells; of those the
new cells, the widths of their columns and what a sheet says of its extent (`dimension`, `spans`)
alone differ. They are found by their place in the bytes; nothing is written anew. Exit code 0:
done; anything else: the file cannot be used.
"""

import io
import json
import re
import sys
import zipfile
from collections.abc import Collection, Mapping, Sequence
from html import escape
from pathlib import Path
from typing import Any, NamedTuple

sys.path.append(str(Path(__file__).parents[3]))  # isolated, it would not find its neighbours

from apps.common.tables.parts import (
    Attributes,
    Parts,
    RefusedError,
    column_of,
    exit_code,
    safe_parser,
)

MOST_COLUMNS = 16_384
CELL = re.compile(r"([A-Z]{1,3})(\d{1,7})")
# A tag in bytes, and what it says of an extent.
TAG = re.compile(rb"<(?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*>")
SPANS = re.compile(rb"(\sspans\s*=\s*[\"']\d+:)(\d+)([\"'])")
EXTENT = re.compile(rb"(\sref\s*=\s*[\"'][A-Z]+\d+:)([A-Z]+)(\d+[\"'])")
WIDEST = 40  # characters of a new column
NOT_IN_XML = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

Edit = tuple[int, int, bytes]


def main() -> None:
    """Add the columns."""
    instructions = json.loads(sys.stdin.buffer.readline())
    sys.stdout.buffer.write(answered(io.BytesIO(sys.stdin.buffer.read()), instructions))


def answered(book: io.BytesIO, instructions: Sequence[Any]) -> bytes:
    """Return the workbook with the new cells.

    Raises:
        RefusedError: a sheet that is not there, or has no room.
        Exception: damaged.
    """
    file = io.BytesIO()
    with zipfile.ZipFile(book) as old, zipfile.ZipFile(file, "w") as new:
        parts = Parts(old)
        paths: dict[str, str] = {}
        for sheet in parts.sheets():
            paths[sheet.name] = parts.names[sheet.path]
            if sheet.is_shown:
                paths.setdefault("", paths[sheet.name])
        added = {paths[one["sheet"]]: one for one in instructions}
        for part in old.infolist():
            content = old.read(part)
            if part.filename in added:
                content = with_columns(content, added[part.filename])
            part.extra = b""  # which may say its places in the old archive
            new.writestr(part, content)
    return file.getvalue()


class RowPlace(NamedTuple):
    """Where a row stands in the bytes of its sheet: from `start` to the tag at `end`, or behind
    itself where it is one empty tag; its cells by their columns, and the style of its money.
    """

    start: int
    end: int
    is_empty: bool
    cells: list[tuple[int, int, int]]
    money_style: str


class Sheet:
    """What stands where in the bytes of a sheet, of rows those of these `numbers`; and what new
    columns stand behind to be seen.
    """

    def __init__(self, content: bytes, *, numbers: Collection[int], head: int, money: int) -> None:
        self.content, self.numbers, self.head, self.money = content, numbers, head, money
        self.prefix: str | None = None
        self.rows: dict[int, RowPlace] = {}
        self.starts: dict[int, int] = {}  # of all rows
        self.head_style = self.money_style = ""  # of the last heading, and of the last amount
        self.last = self.last_row = 0  # the last column and row that hold anything
        self.merged: list[int] = []  # the last column of merged cells
        self.hidden: list[tuple[int, int]] = []
        self.described = self.described_to = 0  # the last column with a width, and where that ends
        self.extent_at = self.rows_at = self.rows_end = 0
        self._row = self._column = self._cell_at = 0
        self._holds, self._style = False, ""
        self._cells: list[tuple[int, int, int]] = []
        self._parser = safe_parser()
        self._parser.StartElementHandler = self._start
        self._parser.EndElementHandler = self._end
        self._parser.Parse(content, True)

    def _start(self, name: str, attributes: Attributes) -> None:
        if self.prefix is None:
            self.prefix = name.removesuffix("worksheet")
        at = self._parser.CurrentByteIndex
        match name.removeprefix(self.prefix):
            case "c":
                address = CELL.fullmatch(attributes.get("r", ""))
                self._column = column_of(address[1]) if address else self._column + 1
                self._cell_at, self._holds = at, False
                self._style = attributes.get("s", "")
            case "row":
                self._row = int(attributes.get("r", self._row + 1))
                self.starts[self._row] = at
                self._column, self._cells = 0, []
            case "v" | "f" | "is":
                self._holds, self.last_row = True, self._row
            case "mergeCell":
                address = CELL.fullmatch(attributes["ref"].rpartition(":")[2])
                self.merged.append(column_of(address[1]) if address else 0)
            case "col":
                tag = self.tag_at(at)
                self.described_to = at + len(tag) if tag.endswith(b"/>") else 0
                self.described = max(self.described, int(attributes["max"]))
                if attributes.get("hidden") in ("1", "true"):
                    self.hidden.append((int(attributes["min"]), int(attributes["max"])))
            case "dimension":
                self.extent_at = at
            case "sheetData":
                self.rows_at = at

    def _end(self, name: str) -> None:
        local = name.removeprefix(self.prefix or "")
        at = self._parser.CurrentByteIndex
        if local == "sheetData":
            self.rows_end = at
        if local not in ("c", "row"):
            return
        # Behind an empty tag the reader stands at its end, else before the closing tag.
        is_empty = not self.content.startswith(b"</" + name.encode(), at)
        if local == "c":
            end = at if is_empty else self.content.index(b">", at) + 1
            self._cells.append((self._column, self._cell_at, end))
            if self._holds:
                self.last = max(self.last, self._column)
                if self._row == self.head:
                    self.head_style = self._style
                elif self._column == self.money:
                    self.money_style = self._style
        elif self._row in self.numbers or self._row == self.last_row + 1:
            place = (self.starts[self._row], at, is_empty, self._cells, self.money_style)
            self.rows[self._row] = RowPlace(*place)

    def tag_at(self, at: int) -> bytes:
        """Return the tag that begins at a place.

        Raises:
            RefusedError: none does.
        """
        tag = TAG.match(self.content, at)
        if tag is None:
            raise RefusedError("tag")
        return tag[0]

    def first_new(self, width: int) -> int:
        """Return the first of so many new columns; they do not wait for what reaches to the sheet's
        end.

        Raises:
            RefusedError: no room.
        """
        last = max([self.last, *(one for one in self.merged if one + width <= MOST_COLUMNS)])
        for first, end in sorted(self.hidden):
            if first <= last + width and last < end and end + width <= MOST_COLUMNS:
                last = end
        if last + width > MOST_COLUMNS:
            raise RefusedError("no room")
        return last + 1

    def new_cells(self, row: int, first: int, cells: Sequence[Any], money_style: str) -> bytes:
        """Return the new cells of a row: numbers, or texts in place, never formulas."""
        xml = ""
        for column, cell in enumerate(cells, first):
            is_money = isinstance(cell, dict) and cell["is_money"]
            style = self.head_style if row == self.head else money_style if is_money else ""
            look = f' s="{style}"' if style.isdecimal() else ""
            begin = f'<{self.prefix}c r="{letters_of(column)}{row}"{look}'
            if isinstance(cell, dict):
                value = f"<{self.prefix}v>{cell['n']}</{self.prefix}v>"
                xml += f"{begin}>{value}</{self.prefix}c>"
            elif cell:
                text = escape(NOT_IN_XML.sub("", cell), quote=False)
                inside = f'<{self.prefix}t xml:space="preserve">{text}</{self.prefix}t>'
                inside = f"<{self.prefix}is>{inside}</{self.prefix}is>"
                xml += f'{begin} t="inlineStr">{inside}</{self.prefix}c>'
        return xml.encode("ascii", "xmlcharrefreplace")  # fits every encoding of a sheet

    def row_edits(self, row: int, first: int, cells: Sequence[Any]) -> list[Edit]:
        """Return the edits that put new cells into a row, in place of empty ones."""
        place, last = self.rows[row], first + len(cells) - 1
        new_cells = self.new_cells(row, first, cells, place.money_style)
        old = self.tag_at(place.start)
        tag = SPANS.sub(lambda span: span[1] + b"%d" % max(int(span[2]), last) + span[3], old)
        if place.is_empty:
            name = f"{self.prefix}row".encode()
            return [(place.start, place.end, tag[:-2] + b">" + new_cells + b"</" + name + b">")]
        behind = [cell for cell in place.cells if cell[0] >= first]
        at = behind[0][1] if behind else place.end
        blank = [(start, end, b"") for column, start, end in behind if column <= last]
        return [(place.start, place.start + len(old), tag), (at, at, new_cells), *blank]

    def new_row(self, row: int, first: int, cells: Sequence[Any]) -> Edit:
        """Return the edit that adds a row in its place."""
        at = next((at for number, at in self.starts.items() if number > row), self.rows_end)
        inside = self.new_cells(row, first, cells, self.money_style).decode("ascii")
        row_xml = f'<{self.prefix}row r="{row}">{inside}</{self.prefix}row>'
        return at, at, row_xml.encode()

    def extent(self, last: int) -> list[Edit]:
        """Return the edit that makes the extent that the sheet says it has as wide as it will
        be.
        """
        if not self.extent_at:
            return []
        old = self.tag_at(self.extent_at)
        wider = EXTENT.sub(
            lambda part: (
                part[1] + letters_of(max(column_of(part[2].decode()), last)).encode() + part[3]
            ),
            old,
        )
        return [(self.extent_at, self.extent_at + len(old), wider)]

    def widths(self, first: int, columns: Sequence[Sequence[Any]]) -> list[Edit]:
        """Return the edit that makes new columns as wide as what stands in them; none where the
        sheet says already how wide they are.
        """
        if self.described >= first or (self.described and not self.described_to):
            return []
        columns_xml = ""
        for number, cells in enumerate(columns, first):
            texts = (str(cell["n"]) if isinstance(cell, dict) else cell or "" for cell in cells)
            width = min(WIDEST, max(map(len, texts)) + 2)
            size = f'min="{number}" max="{number}" width="{width}" customWidth="1"'
            columns_xml += f"<{self.prefix}col {size}/>"
        if not self.described:
            columns_xml = f"<{self.prefix}cols>{columns_xml}</{self.prefix}cols>"
        at = self.described_to or self.rows_at
        return [(at, at, columns_xml.encode())]


def with_columns(content: bytes, added: Mapping[str, Any]) -> bytes:
    """Return a sheet with its new cells.

    Raises:
        RefusedError: no room at the right, a row that is not there, or an encoding that no
            spreadsheet writes.
    """
    if b"\x00" in content[:200]:
        raise RefusedError("encoding")
    titles, head = added["titles"], added["head"]
    rows = {int(number): cells for number, cells in added["rows"]}
    if head:
        rows[head] = titles
    total, totals = added["total"] or (0, titles)
    sheet = Sheet(content, numbers={*rows, total}, head=head, money=added["money"])
    if 0 < total < sheet.last_row:  # what stands there is no total of the rows above
        total = sheet.last_row + 1
    first = sheet.first_new(len(titles))
    columns = list(zip(titles, *rows.values(), totals, strict=True))
    edits = sheet.widths(first, columns) + sheet.extent(first + len(titles) - 1)
    if total in sheet.rows:
        rows[total] = totals
    elif total:
        edits.append(sheet.new_row(total, first, totals))
    if not rows.keys() <= sheet.rows.keys():
        raise RefusedError("no such row")
    for row, cells in rows.items():
        edits += sheet.row_edits(row, first, cells)
    pieces, at = [], 0
    for start, end, piece in sorted(edits, key=lambda edit: edit[:2]):  # insertions go first
        pieces += [content[at:start], piece]
        at = end
    return b"".join([*pieces, content[at:]])


def letters_of(number: int) -> str:
    """Return a column's letters from its number, from 1."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, 26)
        letters = chr(65 + rest) + letters
    return letters


if __name__ == "__main__":
    sys.exit(exit_code(main))
