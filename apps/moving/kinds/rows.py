"""A kind of import whose rows are compared together, and written one by one by the services of what
they are about.
"""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date, datetime
from decimal import Decimal
from typing import Any, ClassVar

from django.db import transaction
from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, gettext_lazy, gettext_noop as _

from apps.accounts.models import User
from apps.catalog.models import Import, ImportRow
from apps.catalog.services.import_kinds import (
    FAULTY,
    MAX_TOUCHED,
    Line,
    Question,
    WriteResult,
    first_of,
    question,
    row_guards,
)
from apps.catalog.services.import_tables import OUT, WAITING, TableKind
from apps.catalog.sheet import FileRow, changes_of, value_text
from apps.common.errors import PortalError
from apps.common.tables.cells import Cell, CellFault, text_of as cell_text
from apps.common.tables.days import NUMBERS, certain_day, day_by
from apps.common.tables.spreadsheets import SpreadsheetRefused
from apps.common.texts import Text, joined, text_of
from apps.common.types import Label

MAX_NAME = 60
UNCLEAR = "?"  # before what a cell says and that is settled with its whole file, or asked
YEAR, MONTH, DAY = "year", "month", "day"  # what comes first in a day
Result = ImportRow.Result


OUT_TEXT = _("Leave these rows out")
EMPTY = row_guards(
    empty=(
        _("%(count)s row with a cell that is left empty"),
        _("%(count)s rows with cells that are left empty"),
        gettext_lazy("Left empty"),
    )
)


class Questions:
    """What is asked of a file while its rows are compared, and what was answered before."""

    def __init__(self, source: Import) -> None:
        self.answers: Mapping[str, str] = source.answers or {}
        self.open: dict[str, Question] = {}

    def answer(
        self, key: str, text: Text, choices: Iterable[tuple[str, Text]], first: int | None = None
    ) -> str:
        """Return the answer to a question; empty as long as there is none, or no such choice.
        Behind the `first` choices, the others stand in the alphabet.
        """
        texts = dict(choices)
        self.open[key] = question(key, text, texts, first=first)
        answer = self.answers.get(key, "")
        return answer if answer in texts else ""


class RowKind(TableKind):
    """Rows are stored as the file says them and compared in `compare` once all are there;
    `apply_row` and `undo_row` write one row, in the transaction of its part.
    """

    most_rows: ClassVar[int] = 5_000
    not_compared: ClassVar[Collection[str]] = ()
    guards: ClassVar[Mapping[str, Any]] = {"faulty": FAULTY}
    page: ClassVar[str]  # the model whose page a row leads to

    @abstractmethod
    def compare(self, rows: Sequence[ImportRow], questions: Questions) -> None:
        """Set what each row is about, its result, what is there now and what it becomes; rows
        whose cells cannot be read are among them, as faulty.
        """

    @abstractmethod
    def is_changed(self, row: ImportRow, *, undo: bool) -> bool:
        """Return whether a row would do something else than the review showed, or than undoing
        may undo; what it is about stays locked.
        """

    @abstractmethod
    def apply_row(self, row: ImportRow, *, actor: User, now: datetime) -> None:
        """Write a row and keep in `made` what came of it.

        Raises:
            PortalError: it cannot be written; it is left out with that sentence.
        """

    @abstractmethod
    def undo_row(self, row: ImportRow, *, actor: User, now: datetime) -> dict[str, list[str]]:
        """Put back what a row did; return what had to stay, by its name, and what names it."""

    def name_of(self, row: ImportRow) -> str:
        """Return the company that a row is about, where its name does not say it."""
        return str(row.made.get("name", ""))

    def url_of(self, row: ImportRow) -> str:
        """Return the page of what a row is about, if there is one."""
        app, _, model = self.page.partition(".")
        pk = row.made.get(model)
        return reverse(f"admin:{app}_{model}_change", args=[pk]) if pk else ""

    def compared(self, source: Import, batch: Sequence[FileRow]) -> Iterator[ImportRow]:
        """Yield rows as the file says them.

        Raises:
            SpreadsheetRefused: they are more than can be compared together.
        """
        if source.rows.count() + len(batch) > self.most_rows:
            most = f"{self.most_rows:,}"
            raise SpreadsheetRefused(Text("The file has more than %(count)s rows.", count=most))
        for row in batch:
            import_row = ImportRow(
                source=source, number=row.number, sku=row.key[:MAX_NAME], made={}
            )
            import_row.new, import_row.result = dict(row.values), Result.SAME
            if row.faults:
                refuse(import_row, *row.faults)
            if row.lost:
                hold(import_row, "empty", *row.lost)
            yield import_row

    def settle(self, source: Import) -> Iterable[Question]:
        """Compare all rows of the file; return what is asked."""
        rows = list(source.rows.exclude(result=Result.LEFT).order_by("number"))
        questions = Questions(source)
        self.compare(rows, questions)
        # Written anew: to update 5,000 rows, each by a CASE of its own, takes 30 s instead of 3.
        source.rows.exclude(result=Result.LEFT)._raw_delete(source.rows.db)
        ImportRow.objects.bulk_create(rows, batch_size=500)
        return [*questions.open.values(), *self.column_questions(source)]

    def _next(self, source: Import) -> QuerySet[ImportRow]:
        undo, results = source.is_undoing, (Result.NEW, Result.CHANGED)
        rows = source.rows.filter(result__in=results, is_done=undo, is_touched=False)
        return rows.order_by("-number" if undo else "number")

    def touched(self, source: Import, now: datetime) -> list[ImportRow]:
        """Return rows whose things somebody changed since."""
        undo, rows = source.is_undoing, self._next(source).select_related("source")
        with transaction.atomic():
            return [row for row in rows if self.is_changed(row, undo=undo)][:MAX_TOUCHED]

    def write(self, source: Import, now: datetime) -> WriteResult:
        """Write the next rows in the order of the file, or put them back from its end."""
        rows, undo, actor = list(self._next(source)[: self.part]), source.is_undoing, source.doer
        touched = []
        for row in rows:
            if self.is_changed(row, undo=undo):
                row.is_touched = True
                touched.append(row)
            elif undo:
                if stays := self.undo_row(row, actor=actor, now=now):
                    row.made["stays"] = [*stays]
                    names = joined("; ", [_in_use(*one) for one in stays.items()])
                    hold(row, "stays", Text("in use, so it stays: %(names)s", names=names))
                row.is_done = False
            else:
                self._apply(row, actor=actor, now=now)
        fields = ["is_done", "is_touched", "remark", "guards", "made"]
        ImportRow.objects.bulk_update(rows, fields)
        return WriteResult(len(rows), sum(row.is_done is not undo for row in rows), touched)

    def _apply(self, row: ImportRow, *, actor: User, now: datetime) -> None:
        try:
            with transaction.atomic():
                self.apply_row(row, actor=actor, now=now)
        except PortalError as refusal:
            row.is_touched, row.remark = True, str(refusal)
        else:
            row.is_done = True
            row.save(update_fields=["is_done", "made"])  # rows below may ask for it

    def remarks(self, source: Import) -> list[Text]:
        """Return what had to stay when the import was undone."""
        stay = source.rows.filter(guards__has_key="stays").order_by("number")
        if not (source.is_undoing and stay):
            return []
        names = first_of([name for row in stay for name in row.made["stays"]])
        return [Text("Not deleted, because something names them: %(names)s.", names=names)]

    def search_condition(self, term: str) -> Q:
        """Return the rows whose names have a word."""
        return Q(sku__icontains=term)

    def lines(self, rows: Sequence[ImportRow], source: Import) -> Iterator[Line]:
        """Yield rows with what they change."""
        for row in rows:
            names = (row.sku, self.name_of(row))
            titles = {
                name: title for name, title in self.titles.items() if row.new.get(name) not in names
            }
            changes = changes_of(row, titles, self.value_text)
            others = [" · ".join(changes)] if changes else []
            fault = self.fault_of(row)
            yield self.line_of(row, fault, self.name_of(row), self.url_of(row), others)

    def fault_of(self, row: ImportRow) -> Label:
        """Return why a row is not applied: it may wait for an answer."""
        if WAITING in row.remark and not row.is_touched:
            return gettext("Waits for an answer")
        return super().fault_of(row)

    def value_text(self, name: str, value: Any) -> str:
        """Return a value as staff read it; a dash for nothing."""
        if name in self.money and value is not None:
            return f"{Decimal(value):,.2f}"
        return value_text(name, value)


def refuse(row: ImportRow, *faults: Text) -> None:
    """Leave a row out, for these reasons beside those that it has."""
    row.result, row.remark = Result.FAULTY, _more(row, faults)


def missing(title: str) -> Text:
    """Return that a column is empty which a row needs."""
    return Text("%(column)s: it is missing", column=Text(title))


def leave(row: ImportRow, why: Text) -> None:
    """Leave a row out that can be read."""
    row.result, row.remark = Result.LEFT, _more(row, [why])


def leave_out(row: ImportRow, answer: str) -> None:
    """Leave a row out as was answered, or until there is an answer."""
    if answer == OUT:
        leave(row, Text("left out, as you answered"))
    else:
        refuse(row, Text(WAITING))


def hold(row: ImportRow, guard: str, *remarks: Text) -> None:
    """Hold a row back until somebody has looked at it."""
    row.guards[guard] = 1
    row.remark = _more(row, remarks)


def _in_use(name: str, references: Sequence[str]) -> Text:
    """Return what stays, with what names it."""
    others = joined(", ", list(map(Text, references)))
    return Text("%(name)s (%(references)s)", name=name, references=others)


def _more(row: ImportRow, texts: Iterable[Text]) -> str:
    before = [text_of(row.remark)] if row.remark else []
    return joined("; ", [*before, *texts]).stored()


def day_of(cell: Cell) -> str:
    """Return a day as ISO writes it; behind UNCLEAR a text that is asked (`Days`).

    Raises:
        CellFault: it is none.
    """
    text = cell.isoformat()[:10] if isinstance(cell, date) else cell_text(cell).lstrip("'`’")
    if NUMBERS.fullmatch(text):
        return UNCLEAR + text[:30]
    if (day := certain_day(text)) is None:
        raise CellFault(Text("“%(text)s” is not a date like 2026-11-30", text=text[:30]))
    return day.isoformat()


class Days:
    """The days of a file: what comes first in those that could be several is asked, once for
    years of four figures and once for those of two.
    """

    def __init__(
        self, names: Collection[str], questions: Questions, *, may_come: bool = False
    ) -> None:
        self.names, self.questions, self.may_come = names, questions, may_come
        self.today = timezone.localdate()

    def settle(self, row: ImportRow, values: dict[str, Any]) -> bool:
        """Set the days of a row; one of which a day cannot be, is still to come or waits for an
        answer is left out, and False returned.
        """
        for name in self.names:
            text: str | Text = values.get(name, "")
            if isinstance(text, str) and text.startswith(UNCLEAR):
                if not (answer := self._read(text.removeprefix(UNCLEAR))):
                    leave_out(row, "")
                    return False
                values[name] = text = answer
            if isinstance(text, str) and not self.may_come and text > self.today.isoformat():
                text = Text("%(day)s is not yet", day=text)
            if isinstance(text, Text):
                refuse(row, text)
                return False
        return True

    def _read(self, text: str) -> str | Text:
        """Return an unclear day as ISO writes it, or why it is none; empty until it is answered."""
        match = NUMBERS.fullmatch(text)
        assert match is not None
        one, two, last = match.groups()
        readings = {MONTH: day_by(last, one, two), DAY: day_by(last, two, one)}
        choices = [(MONTH, Text("The month")), (DAY, Text("The day"))]
        if len(last) == 2:
            readings[YEAR] = day_by(one, two, last)
            choices.append((YEAR, Text("The year")))
        none = Text("“%(text)s” is not a date like 2026-11-30", text=text)
        days = {day for day in readings.values() if day}
        if not days:
            return none
        if len(days) > 1:
            question = Text("Which comes first in dates such as “%(day)s”?", day=text)
            first = self.questions.answer(f"days {len(last)}", question, choices)
            if first and not readings[first]:
                return none
            day = readings.get(first)
            return day.isoformat() if day else ""
        return days.pop().isoformat()
