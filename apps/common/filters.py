"""Filters of staff's lists whose choices show counts."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, ClassVar, TypeVar

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext, gettext_lazy

from apps.common.ids import id_in
from apps.common.types import Label

T = TypeVar("T")
Countries = list[tuple[int, str, int]]  # id, name, how many rows
COUNTRIES_SHOWN = 8
Choices = Mapping[
    str, tuple[Label, Q]
]  # of a filter: by value, the label and what holds of the rows


def count_choices(rows: QuerySet, filters: Mapping[str, Choices]) -> dict[str, int]:
    """Return how many rows there are (`all`), and how many each choice of each filter leaves. One
    statement.
    """
    parts = {
        f"{name}_{value}": Count("pk", filter=condition)
        for name, choices in filters.items()
        for value, (_, condition) in choices.items()
    }
    return rows.aggregate(all=Count("pk"), **parts)


def count_countries(rows: QuerySet, path: str) -> Countries:
    """Return the countries that most rows have under this name. One statement."""
    countries = (
        rows.filter(**{f"{path}__isnull": False})
        .order_by()
        .values_list(f"{path}_id", f"{path}__content")
    )
    return list(
        countries.annotate(found=Count("pk")).order_by("-found", f"{path}__content")[
            :COUNTRIES_SHOWN
        ]
    )


def once(request: HttpRequest, count: Callable[[HttpRequest], T]) -> T:
    """Return what is counted for a page, counted once: its filters and its list ask for it one by
    one.
    """
    counted: dict[Any, T] = request.__dict__.setdefault("counted", {})
    if count not in counted:
        counted[count] = count(request)
    return counted[count]


class CountedFilter(admin.SimpleListFilter):
    """A filter whose choices show a count where there is one; that of the choice `late` is red."""

    any_label: ClassVar[Label] = gettext_lazy("Any")
    late: ClassVar[str] = "late"

    def counts(self) -> Mapping[str, int | None]:
        """Return the counts by choice, None where nothing is counted; that of the first choice
        under an empty name.
        """
        return {}

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        """Yield the choices with their counts."""
        counts = self.counts()
        yield {
            "selected": self.value() is None,
            "query_string": changelist.get_query_string(remove=[str(self.parameter_name)]),
            "display": self.any_label,
            "count": counts.get(""),
        }
        for value, label in self.lookup_choices:
            yield {
                "selected": self.value() == str(value),
                "query_string": changelist.get_query_string({str(self.parameter_name): value}),
                "display": label,
                "count": counts.get(str(value), 0) if counts else None,
                "late": value == self.late,
            }


class ConditionFilter(admin.SimpleListFilter):
    """A filter each choice of which is a condition; with nothing to choose it is not there."""

    def conditions(self) -> Choices:
        """Return what there is to choose."""
        raise NotImplementedError

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[Any]:
        """Return the choices with their labels."""
        return [(value, label) for value, (label, _) in self.conditions().items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Return the rows that the choice leaves."""
        choice = self.conditions().get(self.value() or "")
        return queryset.filter(choice[1]) if choice else queryset


class ChoiceFilter(ConditionFilter, CountedFilter):
    """A filter by conditions whose choices show counts.

    What it is `of` is made once for a request: under the filter's name it has the choices, in
    `counts` what `count_choices` found of them.
    """

    of: ClassVar[Any]

    def conditions(self) -> Choices:
        """Return what there is to choose."""
        choices: Choices = getattr(once(self.request, type(self).of), str(self.parameter_name))
        return choices

    def counted(self) -> Mapping[str, int]:
        """Return what `count_choices` found; nothing where nothing was counted."""
        counts: Mapping[str, int] = once(self.request, type(self).of).counts
        return counts

    def counts(self) -> Mapping[str, int | None]:
        """Return the counts by choice."""
        counted = self.counted()
        if not counted:
            return {}
        return {
            "": counted["all"],
            **{value: counted[f"{self.parameter_name}_{value}"] for value in self.conditions()},
        }


class CountriesFilter(CountedFilter):
    """A filter by country; `path` leads there from a row. What it is `of` has the countries, and
    in `counts` how many rows there are (`all`).
    """

    title = gettext_lazy("country")
    parameter_name = "country"
    path: ClassVar[str] = "country"
    of: ClassVar[Any]

    def counted_countries(self) -> tuple[int, Countries]:
        """Return how many rows there are, and the countries to choose from."""
        totals = once(self.request, type(self).of)
        return totals.counts["all"], totals.countries

    def counts(self) -> Mapping[str, int | None]:
        """Return the counts by choice."""
        total, countries = self.counted_countries()
        return {"": total, **{str(pk): count for pk, _, count in countries}}

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        """Return the countries."""
        return [(str(pk), gettext(name)) for pk, name, _ in self.counted_countries()[1]]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Return the rows of the country; what is no number is not asked for."""
        country = id_in(self.value() or "")
        return queryset if country is None else queryset.filter(**{f"{self.path}_id": country})
