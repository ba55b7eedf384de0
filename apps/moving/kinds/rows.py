"""A kind of import whose rows are compared together, and written one by one by the services of what
they are about.
"""

from abc import abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from decimal import Decimal
from typing import Any, ClassVar

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext, gettext_lazy, pgettext_lazy
from django.utils.translation import gettext_noop as _

from apps.accounts.models import User
from apps.catalog.kinds.dollars import CURRENCY, in_dollars
from apps.catalog.models import Import, ImportRow
from apps.catalog.selectors.imports import FAULTY, held
from apps.catalog.services.import_kinds import Line, Question, Written, question, skus_of
from apps.catalog.services.import_tables import ASKED, NO_ANSWERS, OUT, TableKind, chosen_columns
from apps.catalog.sheet import FileRow, read_values
from apps.common.errors import PortalError
from apps.common.tables.headings import Table
from apps.common.tables.spreadsheets import Row, SpreadsheetRefused
from apps.common.texts import Text, joined, read, text_of
from apps.common.types import Label
from apps.moving.kinds.currencies import with_currency

MAX_NAME = 60
UNCLEAR = "?"  # before what a cell says and that is settled with its whole file, or asked
STAYS = ",stays,"
Result = ImportRow.Result
NEW = pgettext_lazy("import", "New")
TAGS = {Result.NEW: "ok", Result.CHANGED: "info", Result.TWICE: "bad", Result.FAULTY: "bad"}


OUT_TEXT = _("Leave these rows out")
EMPTY = held(
    "empty",
    _("%(count)s row with a cell that is left empty"),
    _("%(count)s rows with cells that are left empty"),
)


class Asked:
    """What is asked of a file while its rows are compared, and what was answered before."""

    def __init__(self, source: Import) -> None:
        self.answers: Mapping[str, str] = source.answers or {}
        self.questions: dict[str, Question] = {}

    def answer(self, key: str, text: Text, choices: Iterable[tuple[str, Text]]) -> str:
        """Return the answer to a question; empty as long as there is none, or no such choice."""
        kept = dict(choices)
        self.questions[key] = question(key, text, kept)
        answer = self.answers.get(key, "")
        return answer if answer in kept else ""


class RowKind(TableKind):
    """Rows are stored as the file says them and compared in `compare` once all are there; `put` and
    `put_back` write one row, in the transaction of its part.
    """

    all_sheets = True
    most_rows: ClassVar[int] = 5_000
    optional: ClassVar[Collection[str]] = ()  # columns of which a row can be without
    not_compared: ClassVar[Collection[str]] = ()
    guards: ClassVar[Mapping[str, Any]] = {"faulty": FAULTY}
    words: ClassVar[Mapping[str, Label]] = {}  # of a guard, for the row that it holds back

    def table_of(
        self,
        rows: Iterator[Row],
        answers: Mapping[str, str] = NO_ANSWERS,
        sheet: str = "",
        *,
        required: Collection[str] = (),
    ) -> Table:
        """Return the table in the rows of a sheet, of amounts those in US dollars.

        Raises:
            NoHeadings: it has not the headings.
            SpreadsheetRefused: its amounts are in another currency.
        """
        table = super().table_of(rows, answers, sheet, required=required)
        if CURRENCY in self.columns:
            table = with_currency(table, (*self.required, *self.name_of_row))
        chosen = chosen_columns(answers)
        if self.money:
            table = in_dollars(table, self.money, sheet, chosen=chosen)
        return self.checked(table)

    def checked(self, table: Table) -> Table:
        """Return a table, of which the kind looks at more than its headings.

        Raises:
            SpreadsheetRefused: it is none of the kind.
        """
        return table

    @abstractmethod
    def compare(self, rows: Sequence[ImportRow], asked: Asked) -> None:
        """Set what each row is about, its result, what is there now and what it becomes; rows
        whose cells cannot be read are among them, as faulty.
        """

    @abstractmethod
    def is_changed(self, row: ImportRow, *, undo: bool) -> bool:
        """Return whether a row would do something else than the review showed, or than undoing
        may undo; what it is about stays locked.
        """

    @abstractmethod
    def put(self, row: ImportRow, *, actor: User, now: datetime) -> None:
        """Write a row and keep in `made` what came of it.

        Raises:
            PortalError: it cannot be written; it is left out with that sentence.
        """

    @abstractmethod
    def put_back(self, row: ImportRow, *, actor: User, now: datetime) -> list[str]:
        """Put back what a row did; return by what it is named where it had to stay."""

    def name_of(self, row: ImportRow) -> str:
        """Return the company that a row is about, where its name does not say it."""
        return str(row.made.get("name", ""))

    def url_of(self, row: ImportRow) -> str:
        """Return the page of what a row is about, if there is one."""
        return ""

    def compared(self, source: Import, batch: Sequence[FileRow]) -> Iterator[ImportRow]:
        """Yield rows as the file says them.

        Raises:
            SpreadsheetRefused: they are more than can be compared together.
        """
        if source.rows.count() + len(batch) > self.most_rows:
            most = f"{self.most_rows:,}"
            raise SpreadsheetRefused(Text("The file has more than %(count)s rows.", count=most))
        for row in batch:
            made = ImportRow(source=source, number=row.number, sku=row.key[:MAX_NAME], made={})
            made.new, made.result = dict(row.values), Result.SAME
            if row.faults:
                refuse(made, *row.faults)
            if row.lost:
                hold(made, "empty", *row.lost)
            yield made

    def row(
        self, row: Row, table: Table, marks: Mapping[str, str], answers: Mapping[str, str]
    ) -> FileRow:
        """Return what a row says; a cell that it can be without is left empty if it cannot be
        read.
        """
        values, faults = read_values(row.cells, table.columns, marks, self.columns)
        names = (str(values[name]) for name in self.name_of_row if values.get(name))
        lost = [
            Text("%(fault)s: left empty", fault=faults.pop(name))
            for name in list(faults)
            if name in self.optional
        ]
        return FileRow(row.number, next(names, ""), values, list(faults.values()), lost=lost)

    def settle(self, source: Import) -> Iterable[Question]:
        """Compare all rows of the file; return what is asked."""
        rows = list(source.rows.exclude(result=Result.LEFT).order_by("number"))
        asked = Asked(source)
        self.compare(rows, asked)
        # Written anew: to update 5,000 rows, each by a CASE of its own, takes 30 s instead of 3.
        source.rows.exclude(result=Result.LEFT)._raw_delete(source.rows.db)
        ImportRow.objects.bulk_create(rows, batch_size=500)
        return [*asked.questions.values(), *self.columns_asked(source)]

    def _next(self, source: Import, *, undo: bool) -> QuerySet[ImportRow]:
        results = (Result.NEW, Result.CHANGED)
        rows = source.rows.filter(result__in=results, is_done=undo, is_touched=False)
        return rows.order_by("-number" if undo else "number")

    def touched(self, source: Import, *, limit: int, undo: bool, now: datetime) -> list[ImportRow]:
        """Return rows whose things somebody changed since."""
        rows = self._next(source, undo=undo).select_related("source")
        with transaction.atomic():
            return [row for row in rows if self.is_changed(row, undo=undo)][:limit]

    def write(
        self, source: Import, *, limit: int, undo: bool, actor: User, now: datetime
    ) -> Written:
        """Write the next rows in the order of the file, or put them back from its end."""
        rows = list(self._next(source, undo=undo)[:limit])
        touched = []
        for row in rows:
            if self.is_changed(row, undo=undo):
                row.is_touched = True
                touched.append(row)
            elif undo:
                if named := self.put_back(row, actor=actor, now=now):
                    names = joined(", ", list(map(Text, named)))
                    hold(row, "stays", Text("in use, so it stays: %(names)s", names=names))
                row.is_done = False
            else:
                self._put(row, actor=actor, now=now)
        fields = ["is_done", "is_touched", "remark", "guards", "made"]
        ImportRow.objects.bulk_update(rows, fields)
        return Written(len(rows), sum(row.is_done is not undo for row in rows), touched)

    def _put(self, row: ImportRow, *, actor: User, now: datetime) -> None:
        try:
            with transaction.atomic():
                self.put(row, actor=actor, now=now)
        except PortalError as refusal:
            row.is_touched, row.remark = True, str(refusal)
        else:
            row.is_done = True
            row.save(update_fields=["is_done", "made"])  # rows below may ask for it

    def told(self, source: Import, *, undo: bool) -> list[Text]:
        """Return what had to stay when the import was undone."""
        stay = list(source.rows.filter(guards__contains=STAYS).order_by("number"))
        if not (undo and stay):
            return []
        text = Text("Not deleted, because something names them: %(names)s.", names=skus_of(stay))
        return [text]

    def named(self, term: str) -> Q:
        """Return the rows whose names have a word."""
        return Q(sku__icontains=term)

    def lines(self, rows: Sequence[ImportRow], source: Import) -> Iterator[Line]:
        """Yield rows with what they change."""
        for row in rows:
            word, is_guarded = self._word(row)
            changes = [
                f"{gettext(title)} {self._old(row, name)}{self.shown(name, row.new[name])}"
                for name, title in self.titles.items()
                if name in row.new and row.new[name] not in (row.sku, self.name_of(row))
            ]
            yield Line(
                row=row,
                name=self.name_of(row),
                url=self.url_of(row),
                cells=(),
                others=[" · ".join(changes)] if changes else [],
                tag="bad" if is_guarded else TAGS.get(Result(row.result), ""),
                word=word,
                is_guarded=is_guarded,
                remark=read(row.remark),
            )

    def _old(self, row: ImportRow, name: str) -> str:
        return f"{self.shown(name, row.old[name])} → " if name in row.old else ""

    def _word(self, row: ImportRow) -> tuple[Label, bool]:
        if row.is_touched:
            return gettext_lazy("Changed since"), True
        if ASKED in row.remark:
            return gettext_lazy("Waits for an answer"), True
        if row.result in (Result.FAULTY, Result.TWICE):
            return row.get_result_display(), True
        guard = next((name for name in self.words if f",{name}," in row.guards), "")
        word = NEW if row.result == Result.NEW else row.get_result_display()
        return (self.words[guard], True) if guard else (word, False)

    def shown(self, name: str, value: Any) -> str:
        """Return a value as staff read it; a dash for nothing."""
        if isinstance(value, bool):
            return gettext("yes") if value else gettext("no")
        if name in self.money and value is not None:
            return f"{Decimal(value):,.2f}"
        return str(value) if value not in ("", None) else "–"


def refuse(row: ImportRow, *faults: Text) -> None:
    """Leave a row out, for these reasons beside those that it has."""
    row.result, row.remark = Result.FAULTY, _more(row, faults)


def missing(title: Text | str) -> Text:
    """Return that a column is empty which a row needs."""
    return Text(
        "%(column)s: it is missing", column=Text(title) if isinstance(title, str) else title
    )


def leave(row: ImportRow, why: Text) -> None:
    """Leave a row out that can be read."""
    row.result, row.remark = Result.LEFT, _more(row, [why])


def leave_out(row: ImportRow, answer: str) -> None:
    """Leave a row out as was answered, or until there is an answer."""
    if answer == OUT:
        leave(row, Text(_("left out, as you answered")))
    else:
        refuse(row, Text(ASKED))


def hold(row: ImportRow, guard: str, *remarks: Text) -> None:
    """Hold a row back until somebody has looked at it."""
    if f",{guard}," not in row.guards:
        row.guards = f"{row.guards or ','}{guard},"
    row.remark = _more(row, remarks)


def _more(row: ImportRow, texts: Iterable[Text]) -> str:
    before = [text_of(row.remark)] if row.remark else []
    return joined("; ", [*before, *texts]).stored()
