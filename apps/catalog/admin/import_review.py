"""What the review of an import shows: tabs, rows with old and new values, guards, and the same as a
workbook.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, reduce
from operator import or_
from pathlib import Path
from typing import Any, NamedTuple

import xlsxwriter
from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.utils.translation import gettext, pgettext, pgettext_lazy
from django.utils.translation import gettext_lazy as _

from apps.catalog.models import Import, ImportRow
from apps.catalog.selectors.imports import LEFT_OUT
from apps.catalog.services.import_kinds import Line, kind_of
from apps.catalog.services.imports import questions_of
from apps.common.staff_lists import moment_text
from apps.common.texts import read
from apps.common.types import Label

PAGE_SIZE = 50
CHUNK = 500
State, Result = Import.State, ImportRow.Result
STATE_TAGS: Mapping[str, str] = {
    State.READING: "info",
    State.REVIEW: "warn",
    State.APPLYING: "info",
    State.APPLIED: "ok",
    State.UNDOING: "info",
    State.UNDONE: "",
    State.REFUSED: "bad",
    State.DISCARDED: "",
}
LEFT = (_("Left out"), Q(result__in=LEFT_OUT))
TOUCHED = (_("Changed since"), Q(is_touched=True))


class ToTick(NamedTuple):
    """What has to be ticked before applying."""

    name: str
    text: str
    detail: str


class Asked(NamedTuple):
    """What is asked, with the answers to choose from: value, text, whether it was chosen; what was
    chosen; whether it needs no answer.
    """

    key: str
    text: str
    choices: Sequence[tuple[str, str, bool]]
    answer: str
    is_optional: bool


class Review:
    """The review of one import, at the tab, page and SKU that its address names."""

    def __init__(self, source: Import, query: Mapping[str, str]) -> None:
        self.source, self.kind = source, kind_of(source)
        # The rows of a guard as its link shows them; of what stands twice those that lose, too.
        self.shown_by = {name: held.rows for name, held in self.kind.guards.items()}
        if "twice" in self.shown_by:
            self.shown_by["twice"] |= Q(result=Result.TWICE)
        to_check = reduce(or_, self.shown_by.values(), Q(pk=None))
        self.tabs_there: dict[str, tuple[Label, Q]] = {
            "all": (_("All"), ~Q(result=Result.SAME)),
            **self.kind.tabs,
            "new": (pgettext_lazy("import", "New"), Q(result=Result.NEW)),
            "guards": (_("To check"), to_check),
            "same": (_("Same"), Q(result=Result.SAME)),
        }
        if source.counts.get("left"):
            self.tabs_there["left"] = LEFT
        if source.state == State.APPLIED and source.rows.filter(TOUCHED[1]).exists():
            self.tabs_there["touched"] = TOUCHED
        tab, guard = query.get("tab", "all"), query.get("guard", "")
        self.tab = tab if tab in self.tabs_there else "all"
        self.guard = guard if guard in self.shown_by else ""
        self.term = query.get("q", "").strip()[:60]
        self.number = query.get("page", "1")

    @cached_property
    def tabs(self) -> list[dict[str, Any]]:
        """Return the tabs with their counts and addresses; those rows that stopped an undoing have
        one, too.
        """
        counts, rows = self.source.counts, self.source.rows
        sizes = {
            **counts,
            "left": counts.get("left_out", 0),
            "all": counts.get("rows", 0) - counts.get("same", 0),
        }
        for key in {"guards", "touched"} & self.tabs_there.keys():
            sizes[key] = rows.filter(self.tabs_there[key][1]).count()
        return [
            {
                "name": title,
                "count": sizes.get(key, 0),
                "url": f"?tab={key}",
                "current": key == self.tab,
            }
            for key, (title, _) in self.tabs_there.items()
        ]

    @cached_property
    def page(self) -> Page:
        """Return the rows of the page that the address names, the nearest where there is none."""
        rows: QuerySet[ImportRow] = self.source.rows.select_related("source").order_by("number")
        if self.term:
            rows = rows.filter(self.kind.named(self.term))
        else:
            rows = rows.filter(self.tabs_there[self.tab][1], self.shown_by.get(self.guard, Q()))
        return Paginator(rows, PAGE_SIZE).get_page(self.number)

    def pages(self) -> Iterator[int | str]:
        """Return the numbers below the table, with gaps where there are many."""
        return self.page.paginator.get_elided_page_range(
            self.page.number, on_each_side=2, on_ends=1
        )

    def lines(self) -> Iterator[Line]:
        """Yield the page's rows, their cells with the heads of the columns."""
        for line in self.kind.lines(list(self.page), self.source):
            yield line._replace(cells=list(zip(line.cells, self.kind.heads, strict=True)))

    @cached_property
    def guards(self) -> list[ToTick]:
        """Return the guards that hold rows back."""
        counts: dict[str, int] = self.source.counts.get("guards", {})
        found = []
        for name, held in self.kind.guards.items():
            if count := counts.get(name):
                rows, text = self.source.rows.filter(held.rows), str(held.text(count))
                detail = self.kind.detail(self.source, name, rows, count)
                found.append(ToTick(name, text, detail))
        return found

    @cached_property
    def questions(self) -> list[Asked]:
        """Return what is asked of the file, with what was chosen so far: what is open first, what
        needs no answer last.
        """
        answers = self.source.answers or {}
        found = []
        for key, one in questions_of(self.source).items():
            chosen = answers.get(key, one.default)
            choices = [(value, read(text), value == chosen) for value, text in one.choices]
            answer = next((text for _, text, is_chosen in choices if is_chosen), "")
            is_optional = bool(one.default) and chosen == one.default
            found.append(Asked(key, read(one.text), choices, answer, is_optional))
        return sorted(found, key=lambda one: (one.is_optional, bool(one.answer)))

    def is_open(self) -> bool:
        """Return whether something is asked that nobody answered."""
        return not all(one.answer for one in self.questions)

    def context_line(self) -> str:
        """Return who sent it, and when."""
        return f"{self.source.created_by.manager}, {moment_text(self.source.created_at)}"


def write_diff(source: Import, path: Path) -> None:
    """Write every row that is not the same to an xlsx file: old and new beside each other. Text
    stays text.
    """
    kind = kind_of(source)
    names = [name for name in kind.titles if name not in kind.not_compared]
    heads = [
        head % {"column": gettext(kind.titles[name])}
        for name in names
        for head in (gettext("%(column)s, now"), gettext("%(column)s, new"))
    ]
    with xlsxwriter.Workbook(path, {"constant_memory": True, "tmpdir": str(path.parent)}) as book:
        bold = book.add_format({"bold": True, "bottom": 1})
        sheet = book.add_worksheet(gettext("Differences"))
        sheet.freeze_panes(1, 2)
        for index, head in enumerate(
            [
                pgettext("table", "Row"),
                gettext(kind.named_by),
                gettext("Result"),
                gettext("Remark"),
                *heads,
            ]
        ):
            sheet.set_column(index, index, 14 if index else 7)
            sheet.write_string(0, index, head, bold)
        rows = source.rows.exclude(result=Result.SAME).order_by("number")
        for line, row in enumerate(rows.iterator(chunk_size=CHUNK), 1):
            sheet.write_string(line, 0, row.place) if source.sheets else sheet.write_number(
                line, 0, row.number
            )
            values = [
                kind.shown(name, side[name]) if name in side else ""
                for name in names
                for side in (row.old, row.new)
            ]
            cells = (row.sku, row.get_result_display(), read(row.remark), *values)
            for index, text in enumerate(cells, 1):
                if text:
                    sheet.write_string(line, index, text)
