"""The filters of the customers' list, with their counts."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.common.filters import CountedFilter
from portal.staff.customers.counts import Choices, counts_of


class CustomerFilter(CountedFilter):
    """A filter of the customers' list, with the request's counts; nothing to choose, no filter."""

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        self.found = counts_of(request)
        super().__init__(request, *args, **kwargs)

    @property
    def meant(self) -> Choices:
        """Return what there is to choose."""
        choices: Choices = getattr(self.found, str(self.parameter_name))
        return choices

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        return [(value, label) for value, (label, _) in self.meant.items()]

    def counts(self) -> dict[str, int]:
        counts = self.found.counts
        return {"": counts["all"], **{value: counts[f"{self.parameter_name}_{value}"] for value in self.meant}}

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        chosen = self.meant.get(self.value() or "")
        return queryset.filter(chosen[1]) if chosen else queryset


class StateFilter(CustomerFilter):
    title = "state"
    parameter_name = "state"


class MoneyFilter(CustomerFilter):
    title = "money"
    parameter_name = "money"
    late = "overdue"


class LastOrderFilter(CustomerFilter):
    title = "last order"
    parameter_name = "last"


class TermsFilter(CustomerFilter):
    title = "terms"
    parameter_name = "terms"


class CountryFilter(CustomerFilter):
    title = "country"
    parameter_name = "country"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        return [(str(pk), name) for pk, name, _ in self.found.countries]

    def counts(self) -> dict[str, int]:
        return {"": self.found.counts["all"], **{str(pk): count for pk, _, count in self.found.countries}}

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        value = self.value() or ""
        return queryset.filter(country_id=int(value)) if value.isdecimal() and len(value) < 10 else queryset
