"""What an import can be of: a kind is one class, which its app registers.

A kind says what the columns mean, what a row would do and which guards it touches, writes some
rows and puts them back. The way of a file (`imports.py`, `import_reading.py`, `import_writing.py`)
and its pages are the same for all.
"""

from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any, BinaryIO, ClassVar, NamedTuple

from django.db.models import Q, QuerySet
from django.utils.translation import gettext, gettext_lazy, gettext_noop as _, pgettext_lazy

from apps.catalog.models import KINDS, Import, ImportRow
from apps.catalog.sheet import FileRow
from apps.common.texts import Text, phrase, read
from apps.common.types import Label

Result = ImportRow.Result
LEFT_OUT = (Result.UNKNOWN, Result.FAULTY, Result.TWICE, Result.LEFT)
WITH_PRICES = Q(result=Result.CHANGED, new__has_any_keys=["usd_price", "usd_supply"])
TAGS: Mapping[str, str] = {Result.NEW: "ok", Result.CHANGED: "info"}
WITH_STOCK = Q(result=Result.CHANGED, new__has_key="on_hand")
MAX_TOUCHED = 1_000
MAX_NAMED = 3  # rows that a guard names
SKUS = 5  # names that a sentence has


class RowGuard(NamedTuple):
    """The rows that a guard holds back, how one and several are told, and the word for one, which
    may say its measure as `%(percent)s`.
    """

    rows: Q
    one: str
    several: str
    word: Label = ""

    def text(self, count: int) -> Text:
        """Return how many there are, and of what."""
        return Text(self.one if count == 1 else self.several, count=f"{count:,}")


def row_guards(**labels: Sequence[Any]) -> dict[str, RowGuard]:
    """Return guards by their names, each with how its rows are told."""
    return {name: RowGuard(Q(guards__has_key=name), *texts) for name, texts in labels.items()}


FAULTY = RowGuard(
    Q(result=Result.FAULTY),
    _("%(count)s row that cannot be read"),
    _("%(count)s rows that cannot be read"),
)


class ValueChange(NamedTuple):
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
    """A row of the page: its result, what it is about, with its address, what it changes beside the
    cells of the kind's own columns.
    """

    row: ImportRow
    word: Label
    is_guarded: bool
    name: str
    url: str
    others: Sequence[str]
    cells: Sequence[Any] = ()  # `ValueChange`, one for each `Head`

    @property
    def tag(self) -> str:
        """Return the tone of the word for its result."""
        return "bad" if self.is_guarded else TAGS.get(self.row.result, "")

    @property
    def remark(self) -> str:
        """Return what was noted of it."""
        return read(self.row.remark)


class Head(NamedTuple):
    """A column of the page that the kind has of its own."""

    title: Label
    is_number: bool = True
    is_hint: bool = False
    on_phone: str = ""  # where it stands on a phone, and what it is called there
    phone_label: Label = ""


class Question(NamedTuple):
    """What a file leaves open and only its sender knows, with the answers that can be chosen. The
    file is read anew with what was chosen; it is not applied before, unless there is a default.
    """

    key: str
    text: str  # stored texts
    choices: Sequence[tuple[str, str]]
    default: str = ""
    first: int | None = None  # choices in front of those that the page shows in its alphabet


def question(
    key: str,
    text: Text,
    choices: Mapping[str, Text],
    default: str = "",
    first: int | None = None,
) -> Question:
    """Return a question as it is stored."""
    stored_choices = [(value, one.stored()) for value, one in choices.items()]
    return Question(key, text.stored(), stored_choices, default, first)


class WriteResult(NamedTuple):
    """How many rows were looked at, how many of them written or put back, and which were left alone
    because somebody changed what they are about.
    """

    looked_at: int
    done: int
    touched: list[ImportRow]


class ImportKind(ABC):
    """What an import can be of."""

    key: ClassVar[str]
    label: ClassVar[Label]
    needs: ClassVar[tuple[str, ...]] = ()  # rights of who sends and applies it
    sees: ClassVar[tuple[str, ...]] = ()  # rights of who looks at it
    part: ClassVar[int] = 250  # rows that are written at once
    titles: ClassVar[Mapping[str, str]]  # what a row may change, as staff read it
    guards: ClassVar[Mapping[str, RowGuard]] = {}
    tabs: ClassVar[Mapping[str, tuple[Label, Q]]] = {}  # beside those that every import has
    heads: ClassVar[Sequence[Head]] = ()
    thing: ClassVar[Label]  # what the rows are about
    find: ClassVar[Label]  # what the field that looks for a row says
    name_column: ClassVar[str] = "SKU"  # the column that names a row
    next_step: ClassVar[tuple[Label, str, str]] = ("", "", "")  # its words, page and query
    new_row: ClassVar[Label] = pgettext_lazy("import", "New")
    note: ClassVar[Label] = ""  # below the rows
    promise: ClassVar[Label] = ""  # what applying leaves alone
    undo_note: ClassVar[Label] = gettext_lazy(
        "If anybody has changed it since, nothing is undone and those rows are shown."
    )
    instead: ClassVar[str] = ""  # what to do about rows that cannot be undone
    not_compared: ClassVar[Collection[str]] = ("sku",)  # columns that the differences leave out
    extension: ClassVar[str] = ""  # of its files, where they are no tables

    def search_condition(self, term: str) -> Q:
        """Return the rows that a word finds."""
        return Q(sku__istartswith=term)

    @abstractmethod
    def check(self, file: BinaryIO, name: str) -> int:
        """Refuse a file that is not of the kind, as far as can be told at once; return how many
        rows it has, for the bar.

        Raises:
            SpreadsheetRefused: its sentence says why.
        """

    @abstractmethod
    def rows(self, source: Import, file: BinaryIO, *, after: int) -> Iterator[FileRow]:
        """Yield what each row behind one says.

        Raises:
            SpreadsheetRefused: the file cannot be read.
        """

    @abstractmethod
    def compared(self, source: Import, batch: Sequence[FileRow]) -> Iterable[ImportRow]:
        """Return what rows would do, and which guards they touch."""

    def settle(self, source: Import) -> Iterable[Question]:
        """Mark rows that say the same thing twice, once all are there; return what is asked."""
        return ()

    @abstractmethod
    def touched(self, source: Import, now: datetime) -> list[ImportRow]:
        """Return rows, MAX_TOUCHED at most, that would do something else than the review showed."""

    @abstractmethod
    def write(self, source: Import, now: datetime) -> WriteResult:
        """Write the next rows, a `part` at most, or put them back, in the caller's transaction."""

    def advice(self, source: Import) -> tuple[str, Label, str] | None:
        """Return what its sender should know of what comes in, with the words and the address of
        the page that is about it.
        """
        return None

    def remarks(self, source: Import) -> list[Text]:
        """Return what else its page says once it is applied or undone."""
        return []

    @abstractmethod
    def lines(self, rows: Sequence[ImportRow], source: Import) -> Iterator[Line]:
        """Yield rows as the page shows them."""

    def fault_of(self, row: ImportRow) -> Label:
        """Return in a word why a row is not applied, or not before it was looked at; nothing where
        it is.
        """
        if row.is_touched:
            return gettext("Changed since")
        if row.result in (Result.FAULTY, Result.UNKNOWN, Result.TWICE):
            return row.get_result_display()
        words = (
            str(one.word) % {"percent": f"{row.guards[name]:,}"}
            for name, one in self.guards.items()
            if one.word and name in row.guards
        )
        return next(words, "")

    def line_of(self, row: ImportRow, fault: Label, name: str, url: str, others: Any) -> Line:
        """Return a row as the page shows it, with what `fault_of` says of it."""
        word = self.new_row if row.result == Result.NEW else row.get_result_display()
        return Line(row, fault or word, bool(fault), name, url, others)

    def detail(self, source: Import, guard: str, rows: QuerySet[ImportRow], count: int) -> str:
        """Return which rows a guard holds back, or what becomes of them."""
        if guard == "faulty":
            return gettext("these rows are left out")
        names = ", ".join(rows.order_by("number").values_list("sku", flat=True)[:MAX_NAMED])
        return phrase("%(skus)s and more", skus=names) if count > MAX_NAMED else names

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

    @abstractmethod
    def value_text(self, name: str, value: Any) -> str:
        """Return a value as staff read it; a dash for nothing."""


def skus_of(rows: Sequence[ImportRow]) -> str | Text:
    """Return the first names of rows, and how many more there are."""
    return first_of([row.sku for row in rows])


def first_of(names: Sequence[str]) -> str | Text:
    """Return the first of some names, and how many more there are."""
    skus = ", ".join(names[:SKUS])
    more = len(names) - SKUS
    return Text("%(skus)s and %(more)s more", skus=skus, more=f"{more:,}") if more > 0 else skus


def register(kind: ImportKind) -> None:
    """Let imports be of a kind; its app calls this when it is ready."""
    KINDS[kind.key] = kind


def kind_of(source: Import) -> ImportKind:
    """Return the kind of an import."""
    kind: ImportKind = KINDS[source.kind]
    return kind


def kinds_seen_by(actor: Any) -> list[str]:
    """Return the keys of the kinds that a member of staff may look at."""
    return [key for key, kind in KINDS.items() if actor.has_perms(kind.sees)]


def kinds_for(actor: Any) -> list[ImportKind]:
    """Return the kinds that a member of staff may import."""
    return [kind for kind in KINDS.values() if actor.has_perms(kind.needs)]
