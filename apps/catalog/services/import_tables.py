"""Imports of tables: where their headings are, which column is what, what each row says.

What an unknown column holds is asked (`Import.answers`); the table is read with the answers.
"""

import re
import tempfile
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from decimal import Decimal
from io import BytesIO
from itertools import chain, groupby, islice
from typing import Any, BinaryIO, ClassVar

import xlsxwriter
from django.core.files.base import File
from django.core.files.storage import storages
from django.utils.translation import gettext, gettext_noop as _, override

from apps.catalog.models import Import, ImportRow, rows_path
from apps.catalog.services.dollars import CURRENCY, LOOKED_AT, in_dollars, with_currency
from apps.catalog.services.import_kinds import ImportKind, Question, question
from apps.catalog.sheet import (
    WORDS,
    Column,
    FileRow,
    is_page_number,
    marks_of,
    only_text,
    read_values,
)
from apps.common.tables.cells import (
    MARKS,
    CellFault,
    cell_at,
    currency_in,
    heading_key,
    is_doubtful,
    number_of,
    stored_value,
    text_or_none,
)
from apps.common.tables.headings import (
    NoHeadings,
    Table,
    find_columns,
    find_table,
)
from apps.common.tables.spreadsheets import (
    Row,
    SpreadsheetRefused,
    Tab,
    is_workbook,
    json_of_row,
    read_tabs,
    row_of_json,
)
from apps.common.texts import Text, joined
from apps.common.types import Label

TOTALS = frozenset(map(heading_key, WORDS["totals"]))
# `Total 32 companies`, `총 27개사`, `선수금 합계(USD)`
COUNTED = re.compile(
    r"(.*\s)?(total|합계|총계|소계)\s*[\d(:].*|(총|이상)\s*[\d,]+\s*\S{1,3}|[\d,]+\s*(종|개|건|명|개사|품목)",
    re.IGNORECASE,
)
TOTAL_OF = re.compile(
    r"(sub-?\s?total|total|합계|소계|총계)(?![a-z])|.*\s(sub-?\s?total|total|합계|소계|총계)",
    re.IGNORECASE,
)
WAITING = _("waits for the answer to a question")
# What is asked of columns: what one holds, which holds what is needed, what begins the decimals.
COLUMN, HOLDS, MARK = "column", "holds", "mark"
OUT = "out"  # the answer that leaves out
TEMPLATES = _(
    "Send a table: a row of headings, one row for each entry, as in the templates beside this form."
)
SAMPLES = 3
NO_ANSWERS: Mapping[str, str] = {}


class TableKind(ImportKind):
    """A kind whose files are tables: its columns, and without which headings it is not one."""

    about: ClassVar[Label]  # what a row is, and what is required
    columns: ClassVar[Mapping[str, Column]]
    required: ClassVar[tuple[str, ...]]
    or_required: ClassVar[tuple[str, ...]] = ()  # of another sheet of the same file
    name_of_row: ClassVar[tuple[str, ...]]  # the columns that a row is named by
    money: ClassVar[Collection[str]] = ()
    by_figures: ClassVar[bool] = False  # money of such a size may be won
    counts: ClassVar[frozenset[str]] = frozenset()
    optional: ClassVar[Collection[str]] = ()  # columns of which a row can be without
    example: ClassVar[Mapping[str, str | int | float]]

    def table_of(
        self,
        rows: Iterator[Row],
        answers: Mapping[str, str] = NO_ANSWERS,
        sheet: str = "",
    ) -> Table:
        """Return the table in the rows of a sheet, of its amounts those in US dollars; `answers`
        are those to what was asked, which columns are what among them.

        Raises:
            NoHeadings: it has not the headings.
            SpreadsheetRefused: it cannot be read, or its amounts are in another currency.
        """
        names = {name: one.title for name, one in self.columns.items()}
        headings = self.with_choices(answers)
        if self.or_required:
            rows = iter(stored_rows := list(rows))
        try:
            table = find_table(rows, headings, required=self.required, names=names)
        except NoHeadings as refusal:
            if not self.or_required:
                raise
            try:
                table = find_table(
                    iter(stored_rows), headings, required=self.or_required, names=names
                )
            except NoHeadings:
                raise refusal from None
        if CURRENCY in self.columns:
            table = with_currency(table, (*self.required, *self.name_of_row))
        if self.money:
            choices, by_figures = column_choices(answers), self.by_figures
            table = in_dollars(table, self.money, sheet, settled=choices, by_figures=by_figures)
        return self.checked(table)

    def checked(self, table: Table) -> Table:
        """Return a table, of which the kind looks at more than its headings.

        Raises:
            SpreadsheetRefused: it is none of the kind.
        """
        return table

    def check(self, file: BinaryIO, name: str) -> int:
        """Refuse a file of which no sheet has the headings, nor so many that the rest is asked.

        Raises:
            SpreadsheetRefused: its sentence says which are missing.
        """
        tabs = visible_tabs(file, name)
        refusals = []
        for tab in tabs:
            try:
                self.table_of(iter(tab.rows), sheet=tab.name)
            except SpreadsheetRefused as refusal:
                if isinstance(refusal, NoHeadings) and refusal.head:
                    break
                refusals.append((len(tab.rows), of_sheet(tab.name, refusal.text, len(tabs))))
            else:
                break
        else:
            nothing = 0, Text("The file holds no rows.")
            _, text = max(refusals, key=lambda one: one[0], default=nothing)
            raise SpreadsheetRefused(joined(" ", [text, Text(TEMPLATES)]))
        return sum(len(tab.rows) for tab in tabs)

    def with_choices(self, answers: Mapping[str, str]) -> dict[str, tuple[str, ...]]:
        """Return the headings that are taken for each column, what was chosen before all others."""
        choices = column_choices(answers)
        chosen_headings = set(map(heading_key, choices.values()))
        return {
            name: (
                *([choices[name]] if name in choices else ()),
                *(title for title in titles if heading_key(title) not in chosen_headings),
            )
            for name, titles in self.headings.items()
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

    def column_questions(self, source: Import) -> Iterator[Question]:
        """Yield what is asked of the columns."""
        facts = source.counts.get("asks", {})
        if "needed" in facts:
            for name in facts["needed"]:
                title = Text(self.columns[name].title)
                text = Text("Which column holds “%(column)s”?", column=title)
                choices = {
                    heading: Text("“%(heading)s” (%(cells)s)", heading=heading, cells=cells)
                    for heading, cells in facts["unread"].items()
                    if name not in self.money or currency_in(heading) in ("", "USD")
                }
                yield question(f"{HOLDS} {name}", text, choices)
            return  # what else there is is asked once these are known
        titles = {
            name: Text(one.title)
            for name, one in self.columns.items()
            if one.also and name not in facts.get("has", ())
        }
        for name, number in facts.get("doubtful", {}).items():
            title = Text(self.columns[name].title)
            text = Text("How is “%(number)s” read under “%(column)s”?", number=number, column=title)
            choices = {}
            for mark in MARKS:
                with suppress(CellFault):
                    figure = number_of(number, mark) or Decimal(0)
                    choices[mark] = Text(f"{figure.normalize():f}")
            yield question(f"{MARK} {name}", text, {**choices, OUT: Text("Leave the rows out")})
        for heading, cells in facts.get("unread", {}).items():
            is_foreign = currency_in(heading) not in ("", "USD")
            choices = {
                name: title
                for name, title in titles.items()
                if not (is_foreign and name in self.money)
            }
            text = Text("“%(heading)s” (%(cells)s)", heading=heading, cells=cells)
            choices = {OUT: Text("Not read"), **choices}
            yield question(f"{COLUMN} {heading}", text, choices, OUT)

    def row(self, row: Row, table: Table) -> FileRow:
        """Return what a row below the headings says; a cell that it can be without is left empty if
        it cannot be read.
        """
        values, faults = read_values(row.cells, table, self.columns)
        names = (str(values[name]) for name in self.name_of_row if values.get(name))
        lost = [
            Text("%(fault)s: left empty", fault=faults.pop(name))
            for name in list(faults)
            if name in self.optional
        ]
        return FileRow(row.number, next(names, ""), values, list(faults.values()), lost=lost)

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
            optional = ((name, one) for name, one in self.columns.items() if one.also)
            for index, (name, column) in enumerate(optional):
                is_number = name in (*self.money, *self.counts)
                sheet.set_column(index, index, column.width, None if is_number else text)
                sheet.write_string(0, index, gettext(column.title), bold)
                looks = grey if is_number else {**grey, "num_format": "@"}
                sheet.write(1, index, self.example.get(name, ""), book.add_format(looks))
        return file.getvalue()

    def _unpacked(self, source: Import, file: BinaryIO) -> Iterator[bytes]:
        tabs = visible_tabs(file, source.name)
        if is_workbook(source.name):
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
        tables, facts = self._tables(source, again)
        source.counts |= {"asks": facts}
        headings = ", ".join(facts.pop("headings", ()))[:200]
        Import.objects.filter(pk=source.pk).update(unread=headings, counts=source.counts)
        for place, rows in groupby(again(), sheet_of):
            table, section = tables[place], dict[str, str]()
            for row in rows:
                if isinstance(table, SpreadsheetRefused):
                    reason = Text(WAITING) if "needed" in facts else table.text
                    file_row = FileRow(row.number, _first(row), {}, [], skip_reason=reason)
                elif row.number == table.head.number:
                    continue
                else:
                    file_row = self.completed(self._row(row, table), section, source)
                if row.number > after:
                    yield file_row

    def _tables(
        self, source: Import, again: Callable[[], Iterator[Row]]
    ) -> tuple[dict[int, Table | SpreadsheetRefused], dict[str, Any]]:
        """Return the table of each sheet, or why it is left out; with them what is asked of the
        columns.

        Raises:
            SpreadsheetRefused: no sheet can be read.
        """
        answers, sheets = source.answers or NO_ANSWERS, source.sheets or [""]
        headings: dict[str, None] = {}
        facts: dict[str, Any] = {"unread": {}, "has": [], "doubtful": {}}
        tables: dict[int, Table | SpreadsheetRefused] = {}
        for place, rows in groupby(again(), sheet_of):
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
            cells = (row.cells for row in chain(first, table.rows))
            witnessed = marks_of(cells, table.columns, money=self.money, counts=self.counts)
            marks = {name: mark for name, (mark, _number) in witnessed.items()}
            for name, (_mark, number) in witnessed.items():
                if not number:
                    continue
                facts["doubtful"][name] = number
                mark = answers.get(f"{MARK} {name}", OUT)
                if mark != OUT:
                    # A number that is clear by itself (`6,40`) needs none.
                    marks[name] = mark if is_doubtful(number) else ""
            tables[place] = table._replace(marks=marks)
        if not tables:
            raise SpreadsheetRefused(Text("The file holds no rows."))
        refused = {
            place: one for place, one in tables.items() if isinstance(one, SpreadsheetRefused)
        }
        if len(refused) == len(tables):
            facts = self._incomplete(refused, again, sheets)
        return tables, facts | {"headings": list(headings)}

    def _incomplete(
        self,
        refused: Mapping[int, SpreadsheetRefused],
        again: Callable[[], Iterator[Row]],
        sheets: Sequence[str],
    ) -> dict[str, Any]:
        """Return what is asked of a file of which no sheet has all the headings that it needs.

        Raises:
            SpreadsheetRefused: none has enough of them to ask for the rest.
        """
        for place, why in refused.items():
            if not (isinstance(why, NoHeadings) and why.head):
                continue
            headings = self.with_choices(NO_ANSWERS)
            table = Table(find_columns(why.head.cells, headings), iter(()), why.head)
            rows = (
                row for row in again() if sheet_of(row) == place and row.number > why.head.number
            )
            unread = _samples(table.unread(self.columns), islice(rows, LOOKED_AT))
            if unread:
                return {"needed": list(why.missing), "unread": unread}
        place, why = next(iter(refused.items()))
        raise SpreadsheetRefused(of_sheet(sheets[place], why.text, len(sheets)))

    def completed(self, file_row: FileRow, section: dict[str, str], source: Import) -> FileRow:
        """Return a row with what those above it on its sheet said for it: they are in `section`."""
        return file_row

    def _row(self, row: Row, table: Table) -> FileRow:
        def skipped(why: Text) -> FileRow:
            return FileRow(row.number, _first(row), {}, [], skip_reason=why)

        if row.number < table.head.number:
            return skipped(Text("above the headings"))
        if any(row.cells == head.cells for head in table.heads):
            return skipped(Text("the headings again"))
        if row.is_crossed_out:
            return skipped(Text("crossed out"))
        if is_page_number(only_text(row.cells)):
            return skipped(Text("a page number"))
        names = [
            text_or_none(cell_at(row.cells, table.columns.get(name))) for name in self.name_of_row
        ]
        names_of_row = [name for name in names if name]
        if names_of_row and names_of_row[0] == self.example[self.name_of_row[0]]:
            return skipped(Text("the template's example"))
        if _is_of_totals(list(map(text_or_none, row.cells)), names_of_row):
            return skipped(Text("a row of totals"))
        file_row = self.row(row, table)
        if file_row.skip_reason is None and not (
            file_row.key or file_row.values or file_row.faults
        ):
            return file_row._replace(
                key=_first(row), skip_reason=Text("nothing in the columns that are read")
            )
        return file_row


def visible_tabs(file: BinaryIO, name: str) -> list[Tab]:
    """Return the sheets of a file that are shown.

    Raises:
        SpreadsheetRefused: it cannot be read.
    """
    return [tab for tab in read_tabs(file, name=name) if not tab.is_hidden]


def column_choices(answers: Mapping[str, str]) -> dict[str, str]:
    """Return the headings that were chosen, by what their columns hold."""
    choices = {}
    for key, value in answers.items():
        what, _, name = key.partition(" ")
        if what == HOLDS:
            choices[name] = value
        elif what == COLUMN and value != OUT:
            choices[value] = name
    return choices


def _samples(headings: Mapping[int, str], rows: Iterable[Row]) -> dict[str, str]:
    """Return what stands below headings, three examples each; without those of empty columns."""
    samples: dict[str, dict[str, None]] = {}
    for row in rows:
        for index, heading in headings.items():
            texts = samples.setdefault(heading, {})
            if len(texts) < SAMPLES and (
                text := text_or_none(stored_value(cell_at(row.cells, index)))
            ):
                texts[text[:30]] = None
    return {heading: ", ".join(texts) for heading, texts in samples.items() if texts}


def of_sheet(name: str, refused: Text, sheets: int) -> Text:
    """Return why a sheet is refused, with its name where a file has several."""
    text = Text("Sheet “%(sheet)s”: %(refused)s", sheet=name, refused=refused)
    return text if sheets > 1 else refused


def sheet_of(row: Row | FileRow | ImportRow) -> int:
    """Return the place of the sheet that a row stands on."""
    return row.number // ImportRow.PER_SHEET


def _first(row: Row) -> str:
    return next(filter(None, map(text_or_none, row.cells)), "")


def _is_of_totals(texts: Sequence[str], names: Sequence[str]) -> bool:
    """Return whether a row is one of totals: it names nothing but that, or a count."""
    has_name = any(not (name.isdecimal() or is_total(name)) for name in names)
    return not has_name and any(
        is_total(text) or (not names and TOTAL_OF.match(text)) for text in texts
    )


def is_total(text: str) -> bool:
    """Return whether a text says that its row is one of totals."""
    return heading_key(text) in TOTALS or COUNTED.fullmatch(text) is not None
