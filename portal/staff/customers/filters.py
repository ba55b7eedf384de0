"""The filters of the customers' list, with their counts."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.common.filters import ChoiceFilter, Choices
from portal.staff.customers.counts import counts_of


class CustomerFilter(ChoiceFilter):
    """A filter of the customers' list, with the request's counts."""

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        self.found = counts_of(request)
        super().__init__(request, *args, **kwargs)

    def conditions(self) -> Choices:
        choices: Choices = getattr(self.found, str(self.parameter_name))
        return choices

    def counted(self) -> dict[str, int]:
        return self.found.counts


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
