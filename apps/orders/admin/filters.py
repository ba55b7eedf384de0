"""The filters of the orders' list: open work unless somebody asks for more, with counts that cost two statements.

Only open orders are counted: they are few and have an index. Counts of the history would read all of it.
"""

from datetime import timedelta
from functools import cached_property
from typing import Any

from django.contrib import admin
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest
from django.utils import timezone

from apps.common.filters import CountedFilter
from apps.orders.models import Order
from apps.orders.status import CHOICES, OPEN, OrderStatus

OPEN_ORDERS = Q(status__in=OPEN)
WAITS_FOR_BUYER = Q(status=OrderStatus.CONFIRMED, wire_announced=False, payment_pending=False)
SIGNS: dict[str, tuple[str, Q]] = {
    "message": ("Unread message", Q(message_unread=True)),
    "ship_memo": ("Shipping request", Q(ship_memo_unread=True)),
    "unread": ("Either of them", Q(message_unread=True) | Q(ship_memo_unread=True)),
    "address": ("Address changed", Q(address_changed=True)),
    "wire": ("Wire announced", Q(wire_announced=True)),
    "back_order": ("Back-order", Q(is_back_order=True)),
}
COUNTRIES_SHOWN = 8


class OrderFigures:
    """The counts beside the filters' choices, taken once for a page."""

    def __init__(self) -> None:
        self.now = timezone.now()
        tomorrow = timezone.localtime(self.now) + timedelta(days=1)
        self.midnight = tomorrow.replace(hour=0, minute=0, second=0, microsecond=0)

    @cached_property
    def open(self) -> dict[str, int]:
        """Return the numbers of open orders by status, by promise, by whom they wait for, and by sign."""
        parts = {
            "all": Q(),
            **{f"status_{status:d}": Q(status=status) for status in OPEN},
            "late": Q(due_at__lte=self.now),
            "today": Q(due_at__gt=self.now, due_at__lt=self.midnight),
            "buyer": WAITS_FOR_BUYER,
            **{f"sign_{name}": condition for name, (_, condition) in SIGNS.items()},
        }
        counts = {name: Count("id", filter=condition) for name, condition in parts.items()}
        return Order.objects.filter(OPEN_ORDERS).order_by().aggregate(**counts)

    @cached_property
    def countries(self) -> list[tuple[int, str, int]]:
        """Return the countries that most open orders go to: id, name, count."""
        rows = (
            Order.objects.filter(OPEN_ORDERS, ship_country__isnull=False)
            .order_by()
            .values_list("ship_country_id", "ship_country__content")
            .annotate(orders=Count("id"))
            .order_by("-orders", "ship_country__content")
        )
        return list(rows[:COUNTRIES_SHOWN])


def figures(request: HttpRequest) -> OrderFigures:
    """Return the request's figures."""
    found: OrderFigures | None = getattr(request, "order_figures", None)
    if found is None:
        found = OrderFigures()
        request.order_figures = found  # type: ignore[attr-defined]
    return found


class OrderFilter(CountedFilter):
    """A filter of the orders' list, with the request's figures."""

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        self.figures = figures(request)
        super().__init__(request, *args, **kwargs)


class StatusFilter(OrderFilter):
    title = "status"
    parameter_name = "status"
    any_label = "Open"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        lived = [(str(value), label) for value, label in CHOICES if value]
        return [*lived, ("0", str(OrderStatus.CANCELLED.label)), ("all", "All")]

    def counts(self) -> dict[str, int | None]:
        counts = self.figures.open
        return {
            **{value: None for value, _ in self.lookup_choices},
            **{str(int(status)): counts[f"status_{status:d}"] for status in OPEN},
            "": counts["all"],
        }

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        value = self.value()
        if value is None:
            return queryset.filter(OPEN_ORDERS)
        return queryset.filter(status=int(value)) if value.isdecimal() and len(value) == 1 else queryset


class PromiseFilter(OrderFilter):
    title = "promise"
    parameter_name = "promise"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        return [("late", "Late now"), ("today", "Due today")]

    def counts(self) -> dict[str, int]:
        counts = self.figures.open
        return {"": counts["all"], "late": counts["late"], "today": counts["today"]}

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        now = self.figures.now
        match self.value():
            case "late":
                return queryset.filter(OPEN_ORDERS, due_at__lte=now)
            case "today":
                return queryset.filter(OPEN_ORDERS, due_at__gt=now, due_at__lt=self.figures.midnight)
        return queryset


class WaitsForFilter(OrderFilter):
    title = "waits for"
    parameter_name = "waits"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        return [("us", "Us"), ("buyer", "The buyer")]

    def counts(self) -> dict[str, int]:
        counts = self.figures.open
        return {"": counts["all"], "us": counts["all"] - counts["buyer"], "buyer": counts["buyer"]}

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        match self.value():
            case "us":
                return queryset.filter(OPEN_ORDERS & ~WAITS_FOR_BUYER)
            case "buyer":
                return queryset.filter(WAITS_FOR_BUYER)
        return queryset


class SignFilter(OrderFilter):
    title = "sign"
    parameter_name = "sign"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        return [(name, label) for name, (label, _) in SIGNS.items() if name != "unread" or self.value() == "unread"]

    def counts(self) -> dict[str, int]:
        counts = self.figures.open
        return {"": counts["all"], **{name: counts[f"sign_{name}"] for name in SIGNS}}

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        chosen = SIGNS.get(self.value() or "")
        return queryset.filter(chosen[1]) if chosen else queryset


class CountryFilter(OrderFilter):
    title = "country"
    parameter_name = "country"

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        return [(str(id_), name) for id_, name, _ in self.figures.countries]

    def counts(self) -> dict[str, int]:
        return {"": self.figures.open["all"], **{str(id_): count for id_, _, count in self.figures.countries}}

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        value = self.value() or ""
        return queryset.filter(ship_country_id=int(value)) if value.isdecimal() and len(value) < 10 else queryset
