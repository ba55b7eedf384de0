"""The list of imports, and what the review of one shows: tabs, rows with old and new values,
guards, and the same as a workbook.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property, reduce
from operator import or_
from typing import Any, NamedTuple

from django.contrib import admin
from django.core.paginator import Page, Paginator
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy as _, pgettext, pgettext_lazy

from apps.catalog.models import Import, ImportRow
from apps.catalog.services.import_kinds import LEFT_OUT, Line, kind_of, kinds_seen_by
from apps.catalog.services.imports import questions_of
from apps.common.staff import Context, StaffAdmin, staff_of
from apps.common.staff_lists import PhoneRow, column, figure_text, moment_text, tag, two_lines
from apps.common.tables.cells import heading
from apps.common.tables.download import Rows
from apps.common.texts import Text, read
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
LEFT_ROWS = (_("Left out"), Q(result__in=LEFT_OUT))
TOUCHED = (_("Changed since"), Q(is_touched=True))


@admin.register(Import)
class ImportAdmin(StaffAdmin):
    """Imports, the newest first; one opens as its review."""

    is_record = True
    list_display = ("name", "state_tag", "what", "changes", "sent", "decided")
    phone_row = PhoneRow(
        under="what", right="state_tag", next="changes", third="sent", labelled=("changes",)
    )
    list_filter = ("state", "kind")
    list_select_related = ("created_by", "applied_by", "undone_by")
    search_fields = ("name",)
    search_help_text = _("Name of the file")
    change_list_template = "staff/imports.html"
    list_title = _("Imports")
    what = column("get_kind_display", _("Kind"), ordering=None)

    def get_search_results(
        self, request: HttpRequest, queryset: Any, search_term: str
    ) -> tuple[Any, bool]:
        """Return the imports of the kinds that the reader may see."""
        permitted = queryset.filter(kind__in=kinds_seen_by(staff_of(request)))
        return super().get_search_results(request, permitted, search_term)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Show who may see its kind an import."""
        is_permitted = obj is None or obj.kind in kinds_seen_by(staff_of(request))
        return is_permitted and super().has_view_permission(request, obj)

    @admin.display(description=_("Status"))
    def state_tag(self, source: Import) -> str:
        return tag(source.get_state_display(), STATE_TAGS[source.state])

    @admin.display(description=_("Changes"))
    def changes(self, source: Import) -> str:
        return figure_text(source.counts["changes"]) if "changes" in source.counts else "–"

    @admin.display(description=pgettext_lazy("file", "Sent"))
    def sent(self, source: Import) -> str:
        return two_lines(moment_text(source.created_at), source.created_by.manager)

    @admin.display(description=_("Applied"))
    def decided(self, source: Import) -> str:
        if source.applied_at is None:
            return "–"
        return two_lines(moment_text(source.applied_at), source.applied_by.manager)


class ToTick(NamedTuple):
    """What has to be ticked before applying: a guard, how many rows it holds back, and which."""

    name: str
    text: Text
    detail: str


class OpenQuestion(NamedTuple):
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
            self.tabs_there["left"] = LEFT_ROWS
        if source.state == State.APPLIED and source.rows.filter(TOUCHED[1]).exists():
            self.tabs_there["touched"] = TOUCHED
        tab, guard = query.get("tab", "all"), query.get("guard", "")
        self.tab = tab if tab in self.tabs_there else "all"
        self.guard = guard if guard in self.shown_by else ""
        self.term = query.get("q", "").strip()[:60]
        self.number = query.get("page", "1")

    @cached_property
    def tabs(self) -> list[Context]:
        """Return the tabs with their counts and addresses; those rows that stopped an undoing have
        one, too.
        """
        counts = {**self.source.counts}
        counts |= {"left": counts.get("left_out", 0), "all": counts["rows"] - counts["same"]}
        for key in {"guards", "touched"} & self.tabs_there.keys():
            counts[key] = self.source.rows.filter(self.tabs_there[key][1]).count()
        return [
            {"name": title, "count": counts[key], "key": key, "current": key == self.tab}
            for key, (title, _) in self.tabs_there.items()
        ]

    @cached_property
    def page(self) -> Page:
        """Return the rows of the page that the address names, the nearest where there is none."""
        rows: QuerySet[ImportRow] = self.source.rows.select_related(
            "source", "product__brand", "product__stock"
        ).order_by("number")
        if self.term:
            rows = rows.filter(self.kind.search_condition(self.term))
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
        counts, guards = self.source.counts.get("guards", {}), []
        for name, guard in self.kind.guards.items():
            if count := counts.get(name):
                rows = self.source.rows.filter(guard.rows)
                detail = self.kind.detail(self.source, name, rows, count)
                guards.append(ToTick(name, guard.text(count), detail))
        return guards

    @cached_property
    def questions(self) -> list[OpenQuestion]:
        """Return what is asked of the file, with what was chosen so far: what is open first, what
        needs no answer last.
        """
        answers = self.source.answers or {}
        questions = []
        for key, one in questions_of(self.source).items():
            value_chosen = answers.get(key, one.default)
            choices = [(value, read(text), value == value_chosen) for value, text in one.choices]
            if one.first is not None:
                choices[one.first :] = sorted(
                    choices[one.first :], key=lambda choice: heading(choice[1])
                )
            answer = next((text for _, text, is_chosen in choices if is_chosen), "")
            is_optional = bool(one.default) and value_chosen == one.default
            questions.append(OpenQuestion(key, read(one.text), choices, answer, is_optional))
        return sorted(questions, key=lambda one: (one.is_optional, bool(one.answer)))

    def is_open(self) -> bool:
        """Return whether something is asked that nobody answered."""
        return not all(one.answer for one in self.questions)


def differences(source: Import) -> Rows:
    """Yield the headings, then every row that is not the same: old and new beside each other."""
    kind = kind_of(source)
    names = [name for name in kind.titles if name not in kind.not_compared]
    yield [
        pgettext("table", "Row"),
        gettext(kind.name_column),
        gettext("Result"),
        gettext("Remark"),
        *(
            head % {"column": gettext(kind.titles[name])}
            for name in names
            for head in (gettext("%(column)s, now"), gettext("%(column)s, new"))
        ),
    ]
    rows = source.rows.exclude(result=Result.SAME).order_by("number")
    for row in rows.iterator(chunk_size=CHUNK):
        yield [
            row.place if source.sheets else row.number,
            row.sku,
            row.get_result_display(),
            read(row.remark),
            *(
                kind.value_text(name, side[name]) if name in side else ""
                for name in names
                for side in (row.old, row.new)
            ),
        ]
