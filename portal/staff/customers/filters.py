"""The filters of the customers' list."""

from typing import Any, ClassVar

from django.contrib import admin
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from apps.accounts.models import AddressEntry, Company, User
from apps.common.staff import has_any_perm
from portal.staff.customers.figures import QUIET, is_customer


class StateFilter(admin.SimpleListFilter):
    title = "state"
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        return [("open", "Open"), ("closed", "Closed")]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        match self.value():
            case "open":
                return queryset.filter(is_open=True)
            case "closed":
                return queryset.filter(is_open=False)
        return queryset


class OrdersFilter(admin.SimpleListFilter):
    """A filter for those who may see orders."""

    choices_of: tuple[tuple[str, str], ...] = ()

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        return list(self.choices_of) if has_any_perm(request, "orders.view_order") else []


class MoneyFilter(OrdersFilter):
    title = "money"
    parameter_name = "money"
    choices_of = (("open", "Money open"), ("overdue", "Overdue"))

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        match self.value():
            case "open":
                return queryset.filter(open_money__gt=0)
            case "overdue":
                return queryset.filter(overdue__gt=0)
        return queryset


class LastOrderFilter(OrdersFilter):
    title = "last order"
    parameter_name = "last"
    choices_of = (("recent", "In 90 days"), ("quiet", "Longer ago"), ("never", "Never ordered"))

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        since = timezone.now() - QUIET
        conditions: dict[str | None, Any] = {
            "recent": Q(last_order__gte=since),
            "quiet": Q(last_order__lt=since),
            "never": Q(last_order__isnull=True),
        }
        chosen = conditions.get(self.value())
        return queryset if chosen is None else queryset.filter(chosen)


class TermsFilter(admin.SimpleListFilter):
    title = "terms"
    parameter_name = "terms"
    terms: ClassVar = {
        "share": ("Own deposit share", Q(deposit_rate__isnull=False)),
        "brands": ("Some brands only", Q(brands_restricted=True)),
        "free": ("Beyond stock", Exists(User.objects.filter(company=OuterRef("pk"), stock_free=True))),
    }

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        return [(name, label) for name, (label, _) in self.terms.items()]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        chosen = self.terms.get(self.value() or "")
        return queryset.filter(chosen[1]) if chosen else queryset


class CountryFilter(admin.SimpleListFilter):
    title = "country"
    parameter_name = "country"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        companies = Company.objects.filter(is_customer(), country__isnull=False)
        countries = AddressEntry.objects.filter(pk__in=companies.values("country"))
        return [(str(pk), name) for pk, name in countries.order_by("content").values_list("pk", "content")]

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        value = self.value() or ""
        return queryset.filter(country_id=int(value)) if value.isdecimal() and len(value) < 10 else queryset
