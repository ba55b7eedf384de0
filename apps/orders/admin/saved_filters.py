"""The saved filters of a person above a list: chips that are addresses, a name to keep the filters
of now.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from django.contrib import messages
from django.contrib.admin.views.main import SEARCH_VAR
from django.db.models import Count, Q, QuerySet, Value
from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseNotAllowed,
    HttpResponseRedirect,
    QueryDict,
)
from django.urls import URLPattern, reverse

from apps.common.lists import MOST_COUNTED
from apps.common.staff import StaffAdmin, refusal_text, staff_of
from apps.orders.errors import StaffRefusal
from apps.orders.models import SavedFilter
from apps.orders.services.saved_filters import (
    MAY_SEE,
    MOST_NAME,
    filter_query,
    remove_filter,
    save_filter,
)


@dataclass(frozen=True)
class Chip:
    """A kept filter above the list; how many rows it finds, and how many of them are late, where
    that is counted.
    """

    kept: SavedFilter
    is_shown: bool
    count: int | None = None
    late: int = 0

    @property
    def is_capped(self) -> bool:
        """Return whether there are more rows than are counted."""
        return self.count == MOST_COUNTED


class SavedFilterPages(StaffAdmin):
    """A person's own filters above a list, with what each finds; buttons that keep and
    remove them.
    """

    saved_page: ClassVar[SavedFilter.Page] = SavedFilter.Page.ORDERS
    late_word: ClassVar[str] = "late"

    def saved_filter_urls(self) -> list[URLPattern]:
        """Return the addresses of the two buttons."""
        may_see = MAY_SEE[self.saved_page]
        return [
            self.address("filters/save/", self.save_filter, name="save_filter", permission=may_see),
            self.address(
                "filters/<int:pk>/remove/",
                self.remove_filter,
                name="remove_filter",
                permission=may_see,
            ),
        ]

    def saved_filters(self, request: HttpRequest) -> dict[str, Any]:
        """Return what the list shows of them. Two statements."""
        now = filter_query(request.GET.urlencode())
        kept = list(SavedFilter.objects.filter(owner=staff_of(request), page=self.saved_page))
        counts = self._counts(request, kept)
        chips = [Chip(one, one.query == now, *counts.get(one.pk, ())) for one in kept]
        may_save = bool(now) and not any(chip.is_shown for chip in chips)
        return {
            "saved": chips,
            "may_save": may_save,
            "query_now": now,
            "most_name": MOST_NAME,
            "late": self.late_word,
        }

    def is_counted(self, query: QueryDict) -> bool:
        """Return whether what a kept filter finds is counted: not what a search finds, which takes
        its own time.
        """
        return SEARCH_VAR not in query

    def counted_rows(self) -> QuerySet:
        """Return the rows that kept filters are counted of."""
        rows: QuerySet = self.model._default_manager.all()
        return rows

    def late_rows(self, request: HttpRequest) -> Q | None:
        """Return which rows are late, None for those who may not know."""
        raise NotImplementedError

    def _counts(
        self, request: HttpRequest, kept: Sequence[SavedFilter]
    ) -> dict[int, tuple[int, int]]:
        """Return by kept filter how many rows it finds and how many of them are late. One statement
        for all.
        """
        late, parts = self.late_rows(request), []
        for one in kept:
            query = QueryDict(one.query)
            if self.is_counted(query):
                found = self._found(request, query).order_by().values("pk")[:MOST_COUNTED]
                rows = (
                    self.model._default_manager.filter(pk__in=found)
                    .order_by()
                    .annotate(chip=Value(one.pk))
                )
                counts = {
                    "count": Count("pk"),
                    "late": Count("pk", filter=late) if late else Value(0),
                }
                parts.append(
                    rows.values("chip").annotate(**counts).values_list("chip", "count", "late")
                )
        if not parts:
            return {}
        first, *others = parts
        return {chip: (count, late) for chip, count, late in first.union(*others, all=True)}

    def _found(self, request: HttpRequest, query: QueryDict) -> QuerySet:
        """Return the rows that the list's filters leave when they stand in its address
        like this.
        """
        rows, params = self.counted_rows(), dict(query.lists())
        for kind in self.get_list_filter(request):
            one: Any = kind(request, params, self.model, self)  # type: ignore[operator]
            rows = one.queryset(request, rows)
        return rows

    def save_filter(self, request: HttpRequest) -> HttpResponse:
        """Keep the filters of the list under a name."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        query, name = filter_query(request.POST.get("query", "")), request.POST.get("name", "")
        try:
            kept = save_filter(
                page=self.saved_page, name=name, query=query, actor=staff_of(request)
            )
        except StaffRefusal as error:
            messages.error(request, refusal_text(error))
        else:
            messages.success(request, f"“{kept.name}” is kept for you.")
        return HttpResponseRedirect(f"{self._list()}?{query}")

    def remove_filter(self, request: HttpRequest, pk: int) -> HttpResponse:
        """Remove a filter of one's own."""
        if request.method != "POST":
            return HttpResponseNotAllowed(["POST"])
        remove_filter(page=self.saved_page, filter_id=pk, actor=staff_of(request))
        return HttpResponseRedirect(self._list())

    def _list(self) -> str:
        return reverse(f"admin:{self.opts.app_label}_{self.opts.model_name}_changelist")
