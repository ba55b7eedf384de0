"""Imports of tables: where their headings are, which column is what, what each row says.

Which row has the headings and what an unknown column holds is asked (`Import.answers`); the table
is read with the answers.
"""

import re
import tempfile
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from io import BytesIO
from itertools import chain, groupby, islice
from string import ascii_uppercase
from typing import Any, BinaryIO, ClassVar

import xlsxwriter
from django.core.files.base import File
from django.core.files.storage import storages
from django.urls import reverse
from django.utils.translation import gettext, gettext_lazy, override
from django.utils.translation import gettext_noop as _

from apps.catalog.models import Import, ImportRow, rows_path
from apps.catalog.services.import_kinds import (
    Advice,
    ImportKind,
    Question,
    all_kinds,
    question,
)
from apps.catalog.sheet import (
    WORDS,
    Column,
    FileRow,
    is_page_number,
    marks_of,
    read_values,
    with_unit,
)
from apps.common.tables.cells import (
    MARKS,
    Cell,
    CellFault,
    cell_at,
    count_of,
    currency_in,
    heading_key,
    is_doubtful,
    number_of,
    stored_value,
    text_of,
    text_or_none,
)
from apps.common.tables.headings import (
    HEADINGS_WITHIN,
    IN_BRACKETS,
    NoHeadings,
    Table,
    find_columns,
    find_table,
)
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

TOTALS = frozenset(map(heading_key, WORDS["totals"]))
# `Total 32 companies`, `총 27개사`, `선수금 합계(USD)`
COUNTED = re.compile(r"(.*\s)?(total|합계|총계|소계)\s*[\d(:].*|총\s*\d+\s*\S{1,3}", re.IGNORECASE)
TOTAL_OF = re.compile(r"(sub-?\s?total|total|합계|소계|총계)(?![a-z])", re.IGNORECASE)
UNREAD = _("nothing in the columns that are read")
ABOVE = _("above the headings")
AGAIN = _("the headings again")
PAGE_NUMBER = _("a page number")
TOTAL = _("a row of totals")
EXAMPLE = _("the template's example")
# What is asked of columns: the row of their headings, which holds a thing, what one holds, and what
# begins the decimals in it, how many a unit is.
HEAD, HOLDS, COLUMN, MARK, UNIT = "head", "holds", "column", "mark", "unit"
OUT, NONE = "out", "none"  # the answers that leave out, and that there are no headings
LOOKED_AT, SAMPLES = 200, 3
NO_ANSWERS: Mapping[str, str] = {}


class TableKind(ImportKind):
    """A kind whose files are tables: its columns, and without which headings it is not one."""

    about: ClassVar[Label]  # what a row is, and what is required
    columns: ClassVar[Mapping[str, Column]]
    required: ClassVar[tuple[str, ...]]
    name_of_row: ClassVar[tuple[str, ...]]  # the columns that a row is named by
    money: ClassVar[Collection[str]] = ()
    counts: ClassVar[frozenset[str]] = frozenset()
    all_sheets: ClassVar[bool] = False
    needed: ClassVar[Sequence[str]] = ()  # columns that a table without its headings is asked for
    example: ClassVar[Mapping[str, str | int | float]] = {}

    def table_of(
        self,
        rows: Iterator[Row],
        answers: Mapping[str, str] = NO_ANSWERS,
        sheet: str = "",
        *,
        required: Collection[str] = (),
    ) -> Table:
        """Return the table in the rows of a sheet; `answers` are those to what was asked, which
        columns are what among them, `required` other columns than those of the kind.

        Raises:
            NoHeadings: its sender has to say which row has the headings.
            SpreadsheetRefused: it cannot be read.
        """
        names = {name: one.title for name, one in self.columns.items()}
        beginning = list(islice(rows, HEADINGS_WITHIN))
        rows, head = chain(beginning, rows), self.head_of(beginning, answers)
        wanted = self.with_chosen(answers)
        if head == NONE:
            return _without_headings(beginning, rows, wanted, required or self.required)
        if head:
            first, place = int(head), int(head) // ImportRow.PER_SHEET
            rows = (row for row in rows if sheet_of(row) != place or row.number >= first)
        return find_table(rows, wanted, required=required or self.required, names=names)

    def head_of(self, rows: Sequence[Row], answers: Mapping[str, str]) -> str:
        """Return the number of the row of headings as it was answered, NONE where there is none;
        empty where nobody said.
        """
        return answers.get(HEAD, "")

    def certainty(self, table: Table) -> int:
        """Return 2 where a table is of no other kind, 1 where it may be, 0 where it is of this only
        if its sender says so.
        """
        return 1

    def found_in(self, table: Table, rows: Sequence[Row]) -> dict[str, int]:
        """Return the columns that rows show by what they hold, whatever their headings."""
        return {}

    def may_be(self, rows: Sequence[Row]) -> bool:
        """Return whether the beginning of a table looks like one of this kind, though it has not
        its headings: then what it holds is asked.
        """
        return False

    def with_chosen(self, answers: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
        """Return the headings that are taken for each column, what was chosen before all others."""
        chosen = chosen_columns(answers)
        taken = set(map(heading_key, chosen.values()))
        free = {
            name: tuple(title for title in titles if heading_key(title) not in taken)
            for name, titles in self.headings.items()
        }
        return {
            name: (chosen[name], *titles) if name in chosen else titles
            for name, titles in free.items()
        }

    @property
    def headings(self) -> dict[str, tuple[str, ...]]:
        """Return the headings that are taken for each column, those of the templates among them."""
        with override("ko"):
            return {
                name: (one.title, *one.also, gettext(one.title))
                for name, one in self.columns.items()
                if one.also
            }

    def advice(self, source: Import) -> Iterator[Advice]:
        """Yield which sheets are of another kind."""
        labels = {kind.key: kind.label for kind in all_kinds()}
        for sheet, key in source.counts.get("others", {}).items():
            text = gettext("Sheet “%(sheet)s” is left out here: it holds “%(kind)s”.")
            url = f"{reverse('admin:catalog_import_send')}?kind={key}"
            text %= {"sheet": sheet, "kind": labels[key]}
            yield Advice(text, gettext_lazy("Send the file again for that"), url)

    def columns_asked(self, source: Import) -> Iterator[Question]:
        """Yield what is asked of the columns."""
        facts = source.counts.get("asks", {})
        if heads := facts.get("heads"):
            rows = {
                number: Text("None: the rows begin at once")
                if number == NONE
                else Text(
                    "Row %(row)s: %(cells)s", row=int(number) % ImportRow.PER_SHEET, cells=cells
                )
                for number, cells in heads
            }
            yield question(HEAD, Text("Which row has the headings?"), rows)
        for name in facts.get("needed", ()):
            none = {} if name in self.required else {OUT: Text("None of these")}
            yield self.column_asked(name, facts, none)
        titles = {
            name: Text(one.title)
            for name, one in self.columns.items()
            if one.also and name not in facts.get("has", ())
        }
        for name, number in facts.get("doubtful", {}).items():
            yield self._number_asked(name, number)
        for key, texts in facts.get("units", {}).items():
            yield self._unit_asked(f"{UNIT} {key}", texts, facts)
        if "there" in facts:
            return  # what else there is is asked once the table is known
        for heading, cells in facts.get("unread", {}).items():
            is_foreign = currency_in(heading) not in ("", "USD")
            (counted,) = find_columns([IN_BRACKETS.sub(" ", heading)], self.headings) or ("",)
            is_needed = facts.get("is_bare") or counted in self.counts & titles.keys()
            choices = {
                name: title
                for name, title in titles.items()
                if not (is_foreign and name in self.money)
            }
            text = Text("“%(heading)s” (%(cells)s)", heading=heading, cells=cells)
            choices = {OUT: Text("Not read"), **choices}
            yield question(f"{COLUMN} {heading}", text, choices, "" if is_needed else OUT)

    def _number_asked(self, name: str, number: str) -> Question:
        """Return the question how a number of a column is read."""
        title = Text(self.columns[name].title)
        text = Text("How is “%(number)s” read under “%(column)s”?", number=number, column=title)
        choices = {}
        for mark in MARKS:
            with suppress(CellFault):
                read = number_of(number, mark) or Decimal(0)
                choices[mark] = Text(f"{read.normalize():f}")
        return question(f"{MARK} {name}", text, {**choices, OUT: Text("Leave the rows out")})

    def _unit_asked(self, key: str, texts: Sequence[str], facts: Mapping[str, Any]) -> Question:
        """Return the question how many one of a unit is: `2box`."""
        _what, name, unit = key.split(" ", 2)
        title = Text(self.columns[name].title)
        text = Text(
            "How many is one “%(unit)s” under “%(column)s”? (%(cells)s)",
            unit=unit,
            column=title,
            cells=", ".join(texts),
        )
        choices = {
            f"={heading}": Text(
                "As many as “%(heading)s” says (%(cells)s)", heading=heading, cells=cells
            )
            for heading, cells in facts["unread"].items()
            if all(one.isdecimal() for one in cells.split(", "))
        }
        count = with_unit(texts[0])[0]
        choices["1"] = Text("One: “%(cell)s” is %(count)s", cell=texts[0], count=count)
        return question(key, text, {**choices, OUT: Text("That is not known: left empty")})

    def _counted(
        self, cells: Sequence[Cell], table: Table, answers: Mapping[str, str]
    ) -> tuple[Cell, ...]:
        """Return the cells of a row with its counts in boxes as pieces, as was answered."""
        counted = list(cells)
        for name in self.counts & table.columns.keys():
            index = table.columns[name]
            number, unit = with_unit(cell_at(cells, index))
            answer = answers.get(f"{UNIT} {name} {unit}", "") if unit else ""
            if answer == "1":
                counted[index] = number
            elif answer == OUT:
                counted[index] = None
            elif answer and answer[1:] in table.head.cells:
                size = cell_at(cells, table.head.cells.index(answer[1:]))
                with suppress(CellFault):
                    counted[index] = int(number) * (count_of(size) or 0) or cell_at(cells, index)
        return tuple(counted)

    def column_asked(
        self, name: str, facts: Mapping[str, Any], more: Mapping[str, Text] | None = None
    ) -> Question:
        """Return the question which column holds what no heading names."""
        text = Text("Which column holds “%(column)s”?", column=Text(self.columns[name].title))
        choices = {
            heading: Text("“%(heading)s” (%(cells)s)", heading=heading, cells=cells)
            for heading, cells in facts.get("there", facts["unread"]).items()
            if name not in self.money or currency_in(heading) in ("", "USD")
        }
        return question(f"{HOLDS} {name}", text, {**choices, **(more or {})})

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
        tabs = [tab for tab in read_tabs(file, name=source.name) if not tab.is_hidden]
        source.sheets = [tab.name for tab in tabs]
        Import.objects.filter(pk=source.pk).update(sheets=source.sheets)
        for place, tab in enumerate(tabs):
            for row in tab.rows:
                number = place * ImportRow.PER_SHEET + row.number
                yield json_of_row(row._replace(number=number))

    def _rows(
        self, source: Import, again: Callable[[], Iterator[Row]], *, after: int
    ) -> Iterator[FileRow]:
        """Yield what each row of each sheet says; a sheet without the headings is left out, unless
        no sheet has them.
        """
        answers = source.answers or NO_ANSWERS
        tables, facts = self._tables(source, again)
        source.counts |= {"asks": facts}
        said = ", ".join(facts.pop("headings", ()))[:200]
        Import.objects.filter(pk=source.pk).update(unread=said, counts=source.counts)
        seen: dict[str, Any] = {}
        last = 0
        for row in again():
            found = tables[sheet_of(row)]
            if sheet_of(row) != last:
                seen, last = {}, sheet_of(row)
            if isinstance(found, SpreadsheetRefused):
                if row.number > after:
                    yield FileRow(row.number, "", {}, [], left=found.text)
            elif not found[0].heads or row.number != found[0].head.number:
                cells = self._counted(row.cells, found[0], answers)
                table, marks = found
                read = self._row(row._replace(cells=cells), table, marks, answers)
                read = self.completed(read, seen, source)
                if row.number > after:
                    yield read

    def _tables(
        self, source: Import, again: Callable[[], Iterator[Row]]
    ) -> tuple[dict[int, Any], dict[str, Any]]:
        """Return the table of each sheet with the marks of its numbers, or why it is left out; with
        them what is asked of the columns.

        Raises:
            SpreadsheetRefused: no sheet can be read.
        """
        answers, sheets = source.answers or NO_ANSWERS, source.sheets or [""]
        headings: dict[str, None] = {}
        facts: dict[str, Any] = {"unread": {}, "has": [], "doubtful": {}, "units": {}}
        tables: dict[int, tuple[Table, dict[str, str]] | SpreadsheetRefused] = {}
        others = self._others(again) if len(sheets) > 1 else {}
        for place, rows in groupby(again(), sheet_of):
            if place in others:
                label = Text(str(others[place].label))
                tables[place] = SpreadsheetRefused(Text("it holds “%(kind)s”", kind=label))
                continue
            try:
                table = self.table_of(rows, answers, sheets[place])
            except SpreadsheetRefused as refusal:
                tables[place] = refusal
                continue
            first = list(islice(table.rows, LOOKED_AT))
            unread = table.unread(self.columns)
            headings |= dict.fromkeys(unread.values())
            facts["unread"] = {**_samples(unread, first), **facts["unread"]}
            facts["has"] += table.columns
            facts["is_bare"] = not table.heads
            cells = (row.cells for row in chain(first, table.rows))
            said = marks_of(cells, table.columns, money=self.money, counts=self.counts)
            facts["doubtful"] |= said.unsure
            for key, texts in said.units.items():
                facts["units"].setdefault(key, texts)
            tables[place] = table, {**said.marks, **_marks_chosen(said.unsure, answers)}
        if all(isinstance(one, SpreadsheetRefused) for one in tables.values()):
            facts = self._untitled(source, tables, again)
        facts["others"] = {sheets[place]: kind.key for place, kind in others.items()}
        return tables, facts | {"headings": list(headings)}

    def _others(self, again: Callable[[], Iterator[Row]]) -> dict[int, ImportKind]:
        """Return the sheets that are certainly of another kind, where one is of this."""
        found: dict[int, ImportKind] = {}
        is_here = False
        for place, rows in groupby(again(), sheet_of):
            beginning = list(islice(rows, HEADINGS_WITHIN + 1))
            certain = (
                kind
                for kind in all_kinds()
                if isinstance(kind, TableKind) and kind.is_of(beginning) == 2 and kind is not self
            )
            if other := next(certain, None):
                found[place] = other
            else:
                is_here |= self.is_of(beginning) > 0
        return found if is_here else {}

    def is_of(self, rows: Sequence[Row]) -> int:
        """Return how certainly the beginning of a sheet is of this kind (`certainty`)."""
        try:
            return self.certainty(self.table_of(iter(rows)))
        except SpreadsheetRefused:
            return 0

    def _untitled(
        self,
        source: Import,
        tables: Mapping[int, Any],
        again: Callable[[], Iterator[Row]],
    ) -> dict[str, Any]:
        """Return what is asked of a file of which no sheet has the headings: in which row they
        are, then which column is what.

        Raises:
            SpreadsheetRefused: nothing can be asked, or something else is wrong.
        """
        if not tables:
            raise SpreadsheetRefused(Text("The file holds no rows."))
        answers, sheets = source.answers or NO_ANSWERS, source.sheets or [""]
        sizes = Counter(map(sheet_of, again()))  # the sheet with the most rows is the list
        place = max(tables, key=lambda one: (isinstance(tables[one], NoHeadings), sizes[one]))
        rows = list(islice((row for row in again() if sheet_of(row) == place), LOOKED_AT))
        heads = {**_likely_heads(rows), NONE: ""}
        number = self.head_of(rows, answers)
        if number in heads:
            head = next((row for row in rows if str(row.number) == number), _lettered(rows))
            columns = find_columns(head.cells, self.with_chosen(answers))
            below = [row for row in rows if row.number > head.number or number == NONE]
            table = Table(columns, iter(()), head)
            columns = {**self.found_in(table, below), **columns}
            unread = _samples(table.unread(self.columns), below)
            columns_there = _samples(table.unread(()), below)
            needed = [one for one in self.needed or self.required if one not in columns]
        else:
            unread, columns_there, needed = {}, {}, []
        is_untitled = len(heads) > 1 and isinstance(tables[place], NoHeadings)
        if not (is_untitled and (needed or not number)):
            raise SpreadsheetRefused(of_sheet(sheets[place], tables[place].text, len(sheets)))
        return {
            "heads": list(heads.items()) if answers.get(HEAD, "") == number else [],
            "unread": unread,
            "there": columns_there,
            "needed": needed,
        }

    def completed(self, read: FileRow, seen: dict[str, tuple[str, int]], source: Import) -> FileRow:
        """Return a row with what those above it on its sheet said for it: they are in `seen`."""
        return read

    def _row(
        self, row: Row, table: Table, marks: Mapping[str, str], answers: Mapping[str, str]
    ) -> FileRow:
        def left(why: str) -> FileRow:
            return FileRow(row.number, _first(row), {}, [], left=Text(why))

        if row.number < table.head.number:
            return left(ABOVE)
        if any(row.cells == head.cells for head in table.heads):
            return left(AGAIN)
        if is_page_number(row.cells):
            return left(PAGE_NUMBER)
        names = [
            text_or_none(cell_at(row.cells, table.columns.get(name))) for name in self.name_of_row
        ]
        named = [name for name in names if name]
        if self.example and named and named[0] == self.example[self.name_of_row[0]]:
            return left(EXAMPLE)
        if _is_of_totals(list(map(text_or_none, row.cells)), named):
            return left(TOTAL)
        read = self.row(row, table, marks, answers)
        if read.left is None and not (read.key or read.values or read.faults):
            return read._replace(key=_first(row), left=Text(UNREAD))
        return read


def _lettered(rows: Sequence[Row]) -> Row:
    """Return headings for rows that have none: the letters of their columns, where they begin."""
    first = next((row for row in rows if len(row.cells) - row.cells.count(None) > 1), rows[0])
    width = max(len(row.cells) for row in rows)
    return Row(first.number, tuple(f"Column {letter}" for letter in ascii_uppercase[:width]))


def _without_headings(
    beginning: Sequence[Row],
    rows: Iterator[Row],
    wanted: Mapping[str, Sequence[str]],
    required: Collection[str],
) -> Table:
    if not beginning:
        raise SpreadsheetRefused(Text("The file holds no rows."))
    head = _lettered(beginning)
    columns = find_columns(head.cells, wanted)
    if not columns.keys() >= set(required):
        raise NoHeadings(Text("The rows have no headings."))
    below = (row for row in rows if row.number >= head.number)
    return Table(columns, below, head)


def _likely_heads(rows: Sequence[Row]) -> dict[str, str]:
    """Return the rows that may be the headings, by their numbers, as one text each."""
    return {
        str(row.number): " · ".join(texts)[:100]
        for row in rows[:HEADINGS_WITHIN]
        if len(texts := [text_of(cell) for cell in row.cells if isinstance(cell, str)]) > 1
    }


def chosen_columns(answers: Mapping[str, str]) -> dict[str, str]:
    """Return the headings that were chosen, by what their columns hold."""
    chosen = {}
    for key, value in answers.items():
        what, _, name = key.partition(" ")
        if what == HOLDS and value != OUT:
            chosen[name] = value
        elif what == COLUMN and value != OUT:
            chosen[value] = name
    return chosen


def _marks_chosen(doubtful: Mapping[str, str], answers: Mapping[str, str]) -> dict[str, str]:
    """Return the marks of decimals that were chosen; a number that is clear by itself (`6,40`)
    needs none.
    """
    chosen = {name: answers.get(f"{MARK} {name}", OUT) for name in doubtful}
    return {
        name: mark if is_doubtful(doubtful[name]) else ""
        for name, mark in chosen.items()
        if mark != OUT
    }


def _samples(headings: Mapping[int, str], rows: Iterable[Row]) -> dict[str, str]:
    """Return what stands below headings, three examples each; without those of empty columns."""
    found: dict[str, dict[str, None]] = {}
    for row in rows:
        for index, heading in headings.items():
            texts = found.setdefault(heading, {})
            if len(texts) < SAMPLES and (
                text := text_or_none(stored_value(cell_at(row.cells, index)))
            ):
                texts[text[:30]] = None
    return {heading: ", ".join(texts) for heading, texts in found.items() if texts}


def of_sheet(name: str, refused: Text, sheets: int) -> Text:
    """Return why a sheet is refused, with its name where a file has several."""
    text = Text("Sheet “%(sheet)s”: %(refused)s", sheet=name, refused=refused)
    return text if sheets > 1 else refused


def sheet_of(row: Row | FileRow) -> int:
    """Return the place of the sheet that a row stands on."""
    return row.number // ImportRow.PER_SHEET


def _first(row: Row) -> str:
    return next(filter(None, map(text_or_none, row.cells)), "")


def _is_of_totals(texts: Sequence[str], named: Sequence[str]) -> bool:
    """Return whether a row is one of totals: it names nothing but that, or a count."""
    is_named = any(not (name.isdecimal() or is_total(name)) for name in named)
    return not is_named and any(
        is_total(text) or (not named and TOTAL_OF.match(text)) for text in texts
    )


def is_total(text: str) -> bool:
    """Return whether a text says that its row is one of totals."""
    return heading_key(text) in TOTALS or COUNTED.fullmatch(text) is not None
