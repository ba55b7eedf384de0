"""What an import can be of: a kind is one class, which its app registers.

A kind says what the columns mean, what a row would do and which guards it touches, writes some
rows and puts them back. The way of a file (`imports.py`, `import_reading.py`, `import_writing.py`)
and its pages are the same for all.
"""

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from io import BytesIO
from itertools import groupby
from typing import Any, BinaryIO, ClassVar, NamedTuple

import xlsxwriter
from django.core.files.base import File
from django.core.files.storage import storages
from django.db.models import Q, QuerySet
from django.utils.translation import gettext, gettext_lazy, override
from django.utils.translation import gettext_noop as _

from apps.accounts.models import User
from apps.catalog.models import KINDS, Import, ImportRow, rows_path
from apps.catalog.selectors.imports import Held
from apps.catalog.sheet import Column, FileRow, is_page_number, marks_of, read_values
from apps.common.tables.cells import Cell, CellFault, cell_at, heading_key, text_of
from apps.common.tables.headings import Table, find_table, side_by_side
from apps.common.tables.spreadsheets import (
    Row,
    SpreadsheetRefused,
    is_workbook,
    json_of_row,
    read_rows,
    read_tabs,
    row_of_json,
)
from apps.common.texts import Text
from apps.common.types import Label

Result = ImportRow.Result
TOTALS = frozenset(
    map(heading_key, ("합계", "총계", "총합계", "소계", "계", "total", "totals", "subtotal",
                      "sub total", "grand total", "sum", "총 합계", "total sum", "net",
                      "net total", "net balance"))
)  # fmt: skip
# `Total 32 companies`, `총 27개사`, `선수금 합계(USD)`
COUNTED = re.compile(r"(.*\s)?(total|합계|총계|소계)\s*[\d(:].*|총\s*\d+\s*\S{1,3}", re.IGNORECASE)
TOTAL_OF = re.compile(r"(sub-?\s?total|total|합계|소계|총계)(?![a-z])", re.IGNORECASE)
UNREAD = _("nothing in the columns that are read")
ABOVE = _("above the headings")
AGAIN = _("the headings again")
PAGE_NUMBER = _("a page number")
TOTAL = _("a row of totals")
EXAMPLE = _("the template's example")
NAMED = 3  # rows that a guard names
NO_ANSWERS: Mapping[str, str] = {}
SKUS = 5  # rows that a sentence names


class Shown(NamedTuple):
    """A value on the page: what it was, what it becomes; the same text twice where nothing
    changes.
    """

    old: str
    new: str
    is_guarded: bool = False

    @property
    def differs(self) -> bool:
        """Return whether the row changes it."""
        return self.old != self.new


class Line(NamedTuple):
    """A row of the page: what it is about, with its address, the cells of the kind's own columns,
    what else it changes, its result.
    """

    row: ImportRow
    name: str
    url: str
    cells: Sequence[Any]  # `Shown`, one for each `Head`
    others: Sequence[str]
    tag: str
    word: Label
    is_guarded: bool
    remark: str


class Head(NamedTuple):
    """A column of the page that the kind has of its own."""

    title: Label
    is_number: bool = True
    is_hint: bool = False
    on_phone: str = ""  # where it stands on a phone, and what it is called there
    phone_label: Label = ""


class Question(NamedTuple):
    """What a file leaves open and only its sender knows, with the answers that can be chosen. The
    file is read anew with what was chosen; it is not applied before.
    """

    key: str
    text: str  # stored texts
    choices: Sequence[tuple[str, str]]


class Written(NamedTuple):
    """How many rows were looked at, how many of them written or put back, and which were left alone
    because somebody changed what they are about.
    """

    looked_at: int
    done: int
    touched: list[ImportRow]


class ImportKind:
    """What an import can be of."""

    key: ClassVar[str]
    label: ClassVar[Label]
    needs: ClassVar[tuple[str, ...]] = ()  # rights of who sends and applies it
    sees: ClassVar[tuple[str, ...]] = ()  # rights of who looks at it
    titles: ClassVar[Mapping[str, str]]  # what a row may change, as staff read it
    guards: ClassVar[Mapping[str, Held]] = {}
    tabs: ClassVar[Mapping[str, tuple[Label, Q]]] = {}  # beside those that every import has
    heads: ClassVar[Sequence[Head]] = ()
    thing: ClassVar[Label]  # what the rows are about
    find: ClassVar[Label]  # what the field that looks for a row says
    named_by: ClassVar[str] = "SKU"  # the column that names a row
    next_step: ClassVar[tuple[Label, str, str]] = ("", "", "")  # its words, page and query
    note: ClassVar[Label] = ""  # below the rows
    promise: ClassVar[Label] = ""  # what applying leaves alone
    undo_note: ClassVar[Label] = gettext_lazy(
        "If anybody has changed it since, nothing is undone and those rows are shown."
    )
    instead: ClassVar[str] = ""  # what to do about rows that cannot be undone
    not_compared: ClassVar[Collection[str]] = ("sku",)  # columns that the differences leave out
    extension: ClassVar[str] = ""  # of its files, where they are no tables

    def named(self, term: str) -> Q:
        """Return the rows that a word finds."""
        return Q(sku__istartswith=term)

    def check(self, file: BinaryIO) -> None:
        """Refuse a file that is no table, as far as its beginning tells.

        Raises:
            SpreadsheetRefused: its sentence says why.
        """

    def rows(self, source: Import, file: BinaryIO, *, after: int) -> Iterator[FileRow]:
        """Yield what each row behind one says.

        Raises:
            SpreadsheetRefused: the file cannot be read.
        """
        raise NotImplementedError

    def compared(self, source: Import, batch: Sequence[FileRow]) -> Iterable[ImportRow]:
        """Return what rows would do, and which guards they touch."""
        raise NotImplementedError

    def settle(self, source: Import) -> Iterable[Question]:
        """Mark rows that say the same thing twice, once all are there; return what is asked."""
        return ()

    def touched(self, source: Import, *, limit: int, undo: bool, now: datetime) -> list[ImportRow]:
        """Return rows, a limit at most, that would do something else than the review showed."""
        raise NotImplementedError

    def write(
        self, source: Import, *, limit: int, undo: bool, actor: User, now: datetime
    ) -> Written:
        """Write the next rows, a limit at most, or put them back, in the caller's transaction."""
        raise NotImplementedError

    def told(self, source: Import, *, undo: bool) -> list[Text]:
        """Return what else its page says once it is applied or undone."""
        return []

    def lines(self, rows: Sequence[ImportRow], source: Import) -> Iterator[Line]:
        """Yield rows as the page shows them."""
        raise NotImplementedError

    def detail(self, source: Import, guard: str, rows: QuerySet[ImportRow], count: int) -> str:
        """Return which rows a guard holds back, or what becomes of them."""
        if guard == "faulty":
            return gettext("these rows are left out")
        names = ", ".join(rows.order_by("number").values_list("sku", flat=True)[:NAMED])
        return gettext("%(skus)s and more") % {"skus": names} if count > NAMED else names

    def answers(self, guard: str, rows: QuerySet[ImportRow]) -> Sequence[tuple[str, str]]:
        """Return the unknown names of a guard's rows that may be the name of something known."""
        return ()

    def figures(self, counts: Mapping[str, Any]) -> list[tuple[str, int]]:
        """Return what changes, in figures, beside the rows that are not imported."""
        return [
            (gettext("Added"), counts["new"]),
            (gettext("Changed"), counts["changes"] - counts["new"]),
        ]

    def undoing(self, counts: Mapping[str, Any]) -> list[tuple[str, int]]:
        """Return what undoing does, in figures."""
        return [
            (gettext("Added ones deleted; any that something names stay"), counts["new"]),
            (gettext("Changes put back"), counts["changes"] - counts["new"]),
        ]

    def shown(self, name: str, value: Any) -> str:
        """Return a value as staff read it; a dash for nothing."""
        raise NotImplementedError


class TableKind(ImportKind):
    """A kind whose files are tables: its columns, and without which headings it is not one."""

    about: ClassVar[Label]  # what a row is, and what is required
    columns: ClassVar[Mapping[str, Column]]
    required: ClassVar[tuple[str, ...]]
    name_of_row: ClassVar[tuple[str, ...]]  # the columns that a row is named by
    money: ClassVar[Collection[str]] = ()
    counts: ClassVar[Collection[str]] = ()
    all_sheets: ClassVar[bool] = False
    is_certain: ClassVar[bool] = False  # with its headings a table is of no other kind
    example: ClassVar[Mapping[str, str | int | float]] = {}

    def table_of(self, rows: Iterator[Row], answers: Mapping[str, str] = NO_ANSWERS) -> Table:
        """Return the table in the rows of a sheet; `answers` are those to what was asked.

        Raises:
            SpreadsheetRefused: it has not the headings, or something else that cannot be.
        """
        names = {name: one.title for name, one in self.columns.items()}
        return find_table(rows, self.headings, required=self.required, names=names)

    @property
    def headings(self) -> dict[str, tuple[str, ...]]:
        """Return the headings that are taken for each column, those of the templates among them."""
        with override("ko"):
            return {
                name: (one.title, *one.also, gettext(one.title))
                for name, one in self.columns.items()
                if one.also
            }

    def row(
        self, row: Row, table: Table, marks: Mapping[str, str], answers: Mapping[str, str]
    ) -> FileRow:
        """Return what a row below the headings says."""
        values, faults = read_values(row.cells, table.columns, marks, self.columns)
        names = (str(values[name]) for name in self.name_of_row if values.get(name))
        return FileRow(row.number, next(names, ""), values, list(faults.values()))

    def rows(self, source: Import, file: BinaryIO, *, after: int) -> Iterator[FileRow]:
        """Yield what each row says; the first slice unpacks the whole file, the others go on in
        the rows that it kept.
        """
        storage, path = storages["private"], rows_path(source.storage_name)
        if not storage.exists(path):
            with tempfile.TemporaryFile() as unpacked:
                unpacked.writelines(self._unpacked(source, file))
                unpacked.seek(0)
                storage.save(path, File(unpacked))
        with storage.open(path) as lines:

            def again() -> Iterator[Row]:
                lines.seek(0)
                return map(row_of_json, lines)

            yield from self._rows(source, again, after=after)

    def template(self) -> bytes:
        """Return a workbook with the headings, in the language of the page, and an example."""
        file = BytesIO()
        with xlsxwriter.Workbook(file, {"in_memory": True}) as book:
            sheet = book.add_worksheet(str(self.label).replace("/", " ")[:31])
            bold = book.add_format({"bold": True, "bottom": 1})
            text, grey = book.add_format({"num_format": "@"}), {"font_color": "#767676"}
            sheet.freeze_panes(1, 0)
            shown = ((name, one) for name, one in self.columns.items() if one.also)
            for index, (name, column) in enumerate(shown):
                is_number = name in (*self.money, *self.counts)
                sheet.set_column(index, index, column.width, None if is_number else text)
                sheet.write_string(0, index, gettext(column.title), bold)
                looks = grey if is_number else {**grey, "num_format": "@"}
                sheet.write(1, index, self.example.get(name, ""), book.add_format(looks))
        return file.getvalue()

    def _unpacked(self, source: Import, file: BinaryIO) -> Iterator[bytes]:
        if not (self.all_sheets and is_workbook(source.name)):
            yield from map(json_of_row, read_rows(file, name=source.name))
            return
        tables = {
            f"{tab.name} ({number})" if number > 1 else tab.name: rows
            for tab in read_tabs(file, name=source.name)
            if not tab.is_hidden
            for number, rows in enumerate(side_by_side(tab.rows), 1)
        }
        source.sheets = list(tables)
        Import.objects.filter(pk=source.pk).update(sheets=source.sheets)
        for place, rows in enumerate(tables.values()):
            for row in rows:
                yield json_of_row(Row(place * ImportRow.PER_SHEET + row.number, row.cells))

    def _rows(
        self, source: Import, again: Callable[[], Iterator[Row]], *, after: int
    ) -> Iterator[FileRow]:
        """Yield what each row of each sheet says; a sheet without the headings is left out, unless
        no sheet has them.
        """
        unread: list[str] = []
        tables: dict[int, tuple[Table, dict[str, str]] | Text] = {}
        for place, rows in groupby(again(), sheet_of):
            try:
                table = self.table_of(rows, source.answers or NO_ANSWERS)
            except SpreadsheetRefused as refusal:
                tables[place] = refusal.text
            else:
                unread += table.unread(self.columns)
                cells = (row.cells for row in table.rows)
                marks = marks_of(cells, table.columns, money=self.money, counts=self.counts)
                tables[place] = table, marks
        refusals = [one for one in tables.values() if isinstance(one, Text)]
        if not tables:
            raise SpreadsheetRefused(Text("The file holds no rows."))
        if len(refusals) == len(tables):  # the sheet with the most rows is the list
            ((place, _size),) = Counter(map(sheet_of, again())).most_common(1)
            sheets = source.sheets or [""]
            raise SpreadsheetRefused(of_sheet(sheets[place], refusals[place], len(sheets)))
        Import.objects.filter(pk=source.pk).update(unread=", ".join(dict.fromkeys(unread))[:200])
        seen: dict[str, tuple[str, int]] = {}
        last = 0
        for row in again():
            found = tables[sheet_of(row)]
            if sheet_of(row) != last:
                seen, last = {}, sheet_of(row)
            is_head = not isinstance(found, Text) and row.number == found[0].head.number
            if not is_head and not isinstance(found, Text):
                self.look(row, found[0], seen)
            if row.number > after and not is_head:
                yield self.completed(self._row(row, found, source.answers or {}), seen)

    def look(self, row: Row, table: Table, seen: dict[str, tuple[str, int]]) -> None:
        """Note what a row, be it above the headings, says for those below it too."""

    def beside(self, row: Row, table: Table) -> FileRow | None:
        """Return what a row above the headings, or of totals, says of others; None for nothing."""
        return None

    def completed(self, read: FileRow, seen: Mapping[str, tuple[str, int]]) -> FileRow:
        """Return a row with what those above it said for it."""
        return read

    def _row(
        self,
        row: Row,
        found: tuple[Table, dict[str, str]] | Text,
        answers: Mapping[str, str],
    ) -> FileRow:
        if isinstance(found, Text):
            return FileRow(row.number, "", {}, [], left=found)
        table, marks = found
        if row.number < table.head.number:
            beside = self.beside(row, table)
            return beside or FileRow(row.number, _first(row), {}, [], left=Text(ABOVE))
        if any(row.cells == head.cells for head in table.heads):
            return FileRow(row.number, "", {}, [], left=Text(AGAIN))
        if is_page_number(row.cells):
            return FileRow(row.number, _first(row), {}, [], left=Text(PAGE_NUMBER))
        names = [_text(cell_at(row.cells, table.columns.get(name))) for name in self.name_of_row]
        named = [name for name in names if name]
        if self.example and named and named[0] == self.example[self.name_of_row[0]]:
            return FileRow(row.number, named[0], {}, [], left=Text(EXAMPLE))
        if _is_of_totals(list(map(_text, row.cells)), named):
            beside = self.beside(row, table)
            return beside or FileRow(row.number, _first(row), {}, [], left=Text(TOTAL))
        read = self.row(row, table, marks, answers)
        if not (read.key or read.values or read.faults):
            return read._replace(key=_first(row), left=Text(UNREAD))
        return read


def skus_of(rows: Sequence[ImportRow]) -> str | Text:
    """Return the first names of rows, and how many more there are."""
    skus = ", ".join(row.sku for row in rows[:SKUS])
    more = len(rows) - SKUS
    return Text("%(skus)s and %(more)s more", skus=skus, more=f"{more:,}") if more > 0 else skus


def of_sheet(name: str, refused: Text, sheets: int) -> Text:
    """Return why a sheet is refused, with its name where a file has several."""
    text = Text("Sheet “%(sheet)s”: %(refused)s", sheet=name, refused=refused)
    return text if sheets > 1 else refused


def sheet_of(row: Row) -> int:
    """Return the place of the sheet that a row stands on."""
    return row.number // ImportRow.PER_SHEET


def _text(cell: Cell) -> str:
    try:
        return text_of(cell)
    except CellFault:
        return ""


def _first(row: Row) -> str:
    return next(filter(None, map(_text, row.cells)), "")


def _is_of_totals(texts: Sequence[str], named: Sequence[str]) -> bool:
    """Return whether a row is one of totals: it names nothing but that, or a count."""
    is_named = any(not (name.isdecimal() or _is_total(name)) for name in named)
    return not is_named and any(
        _is_total(text) or (not named and TOTAL_OF.match(text)) for text in texts
    )


def _is_total(text: str) -> bool:
    return heading_key(text) in TOTALS or COUNTED.fullmatch(text) is not None


_KINDS: dict[str, ImportKind] = {}


def register(kind: ImportKind) -> None:
    """Let imports be of a kind; its app calls this when it is ready."""
    _KINDS[kind.key] = kind
    KINDS[kind.key] = kind.label


def kind_of(source: Import) -> ImportKind:
    """Return the kind of an import."""
    return _KINDS[source.kind]


def kinds_seen_by(actor: Any) -> list[str]:
    """Return the keys of the kinds that a member of staff may look at."""
    return [key for key, kind in _KINDS.items() if actor.has_perms(kind.sees)]


def kinds_for(actor: Any) -> list[ImportKind]:
    """Return the kinds that a member of staff may import."""
    return [kind for kind in _KINDS.values() if actor.has_perms(kind.needs)]
