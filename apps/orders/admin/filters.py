"""The filters of the orders' list: open work unless somebody asks for more, with counts that cost
two statements.

Only open orders are counted: they are few and have an index. Counts of the history would read all
of it.
"""

from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import cached_property
from typing import Any, ClassVar

from django.contrib import admin
from django.contrib.admin.views.main import ChangeList
from django.db.models import Count, Q, QuerySet
from django.http import HttpRequest, QueryDict
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy, pgettext, pgettext_lazy

from apps.common.days import midnight, parse_day
from apps.common.filters import (
    ChoiceFilter,
    Choices,
    ConditionFilter,
    CountedFilter,
    Countries,
    CountriesFilter,
    count_countries,
    once,
)
from apps.common.ids import id_in
from apps.common.texts import phrase
from apps.common.types import Label
from apps.orders.models import UNPAID, Order
from apps.orders.selectors.conversation import proposals_that_wait
from apps.orders.selectors.progress import PaymentStatus
from apps.orders.selectors.sales import Days, Dimension, sold
from apps.orders.status import LIVE, OPEN, OrderStatus

OPEN_ORDERS = Q(status__in=OPEN)
WAITS_FOR_BUYER = Q(status=OrderStatus.CONFIRMED, wire_announced=False, payment_pending=False)
SIGNS: Choices = {
    "message": (gettext_lazy("Unread message"), Q(message_unread=True)),
    "ship_memo": (gettext_lazy("Shipping request"), Q(ship_memo_unread=True)),
    "address": (gettext_lazy("Address changed"), Q(address_changed=True)),
    "wire": (gettext_lazy("Wire announced"), Q(wire_announced=True)),
    "unpaid": (gettext_lazy("Unpaid, no wire announced"), UNPAID),
    "back_order": (gettext_lazy("Back-order"), Q(is_back_order=True)),
}
PACKED = Q(packing_status=Order.Packing.COMPLETE)
PACKINGS: Choices = {
    "todo": (gettext_lazy("Paid, to pack"), Q(status=OrderStatus.PAID) & ~PACKED),
    "packed": (gettext_lazy("Packed, to ship"), Q(status=OrderStatus.PAID) & PACKED),
}
PROPOSALS: dict[str, Label] = {
    "question": gettext_lazy("Question to answer"),
    "answered": gettext_lazy("Answered, to confirm"),
    "ending": gettext_lazy("Unanswered, expiring today"),
}
P = PaymentStatus
THINGS = {
    Dimension.COUNTRY: gettext_lazy("country"),
    Dimension.COMPANY: gettext_lazy("company"),
    Dimension.BRAND: gettext_lazy("brand"),
    Dimension.PRODUCT: gettext_lazy("product"),
}
# How the payment of an order stands, in staff's words: of what the buyer reads (`PAYMENT`).
PAYMENTS: dict[str, tuple[Label, tuple[PaymentStatus, ...]]] = {
    "waiting": (pgettext_lazy("payment", "Waiting"), (P.DEPOSIT_DUE, P.BALANCE_DUE)),
    "announced": (pgettext_lazy("payment", "Announced"), (P.WIRE_AWAITED, P.REVIEWED)),
    "part": (pgettext_lazy("payment", "Part paid"), (P.PARTLY_PAID,)),
    "paid": (pgettext_lazy("payment", "Paid"), (P.NO_DEPOSIT, P.DEPOSIT_RECEIVED, P.PAID)),
}
PAYMENT_WORDS = {
    status.value: label for label, statuses in PAYMENTS.values() for status in statuses
}


OPEN_CHOICES = frozenset(str(int(status)) for status in OPEN)


def is_history(query: QueryDict) -> bool:
    """Return whether a list's address asks for closed orders too."""
    status = query.get("status")
    return status is not None and status not in OPEN_CHOICES


class OrderFigures:
    """What the filters' choices mean now, and the counts beside them."""

    def __init__(self, request: HttpRequest) -> None:
        self.query, now = request.GET, timezone.now()
        tomorrow = midnight(timezone.localdate(now) + timedelta(days=1))
        waiting = proposals_that_wait(until=tomorrow)
        self.choices: dict[str, Choices] = {
            "status": {f"{status:d}": (status.staff_label, Q(status=status)) for status in OPEN},
            "promise": {
                "late": (_("Late now"), OPEN_ORDERS & Q(due_at__lte=now)),
                "today": (_("Due today"), OPEN_ORDERS & Q(due_at__gt=now, due_at__lt=tomorrow)),
            },
            "waits": {
                "us": (_("Us"), OPEN_ORDERS & ~WAITS_FOR_BUYER),
                "buyer": (_("The buyer"), WAITS_FOR_BUYER),
            },
            "sign": SIGNS,
            "packing": PACKINGS,
            "proposals": {name: (label, waiting[name]) for name, label in PROPOSALS.items()},
        }

    def others_filter(self, name: str) -> Q:
        """Return what holds of the open orders that every filter but this one leaves."""
        conditions = {
            other: choices.get(self.query.get(other, ""))
            for other, choices in self.choices.items()
            if other != name
        }
        return Q(OPEN_ORDERS, *(choice[1] for choice in conditions.values() if choice))

    @cached_property
    def counts(self) -> dict[str, int]:
        """Return how many open orders each choice leaves beside the other filters, `sign_wire`, and
        without a choice, `sign_`; nothing where history, another filter or a search is listed.
        """
        if is_history(self.query) or not set(self.query) <= {*self.choices, "o", "p"}:
            return {}
        parts = {
            f"{name}_{value}": Count("pk", filter=self.others_filter(name) & condition)
            for name, choices in self.choices.items()
            for value, (_label, condition) in [("", ("", OPEN_ORDERS)), *choices.items()]
        }
        counted: dict[str, int] = Order.objects.filter(OPEN_ORDERS).order_by().aggregate(**parts)
        return counted

    @cached_property
    def countries(self) -> Countries:
        """Return the countries that most of the open orders go to that the filters leave."""
        return count_countries(Order.objects.filter(self.others_filter("country")), "ship_country")


def figures(request: HttpRequest) -> OrderFigures:
    """Return the request's figures."""
    return once(request, OrderFigures)


class OrderFilter(ChoiceFilter):
    """A filter of the orders' list, with the request's figures."""

    def conditions(self) -> Choices:
        return figures(self.request).choices[str(self.parameter_name)]

    def counts(self) -> Mapping[str, int | None]:
        counted, name = figures(self.request).counts, self.parameter_name
        return {value: counted[f"{name}_{value}"] for value in ("", *self.conditions()) if counted}


class StatusFilter(OrderFilter):
    title = gettext_lazy("status")
    parameter_name = "status"
    any_label = pgettext_lazy("orders", "Open")

    def lookups(self, request: HttpRequest, model_admin: admin.ModelAdmin) -> list[tuple[str, str]]:
        lived = [(str(int(status)), status.staff_label) for status in LIVE]
        cancelled = ("0", OrderStatus.CANCELLED.staff_label)
        return [*lived, cancelled, ("all", pgettext("orders", "All"))]

    def counts(self) -> Mapping[str, int | None]:
        return {**{value: None for value, _ in self.lookup_choices}, **super().counts()}

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        value = self.value()
        if value is None:
            return queryset.filter(OPEN_ORDERS)
        is_status = value.isdecimal() and len(value) == 1
        return queryset.filter(status=value) if is_status else queryset


class PromiseFilter(OrderFilter):
    title = gettext_lazy("promise")
    parameter_name = "promise"


class WaitsForFilter(OrderFilter):
    title = gettext_lazy("waiting for")
    parameter_name = "waits"


class SignFilter(OrderFilter):
    title = gettext_lazy("sign")
    parameter_name = "sign"


class PackingFilter(OrderFilter):
    title = gettext_lazy("packing")
    parameter_name = "packing"


class ProposalFilter(OrderFilter):
    title = gettext_lazy("proposals")
    parameter_name = "proposals"


class CountryFilter(CountriesFilter):
    path = "ship_country"

    def counts(self) -> Mapping[str, int | None]:
        return super().counts() if figures(self.request).counts else {}

    def counted_countries(self) -> tuple[int, Countries]:
        counts = figures(self.request)
        return counts.counts.get("promise_", 0), counts.countries


class PaymentFilter(ConditionFilter, CountedFilter):
    title = gettext_lazy("payment")
    parameter_name = "payment"

    def conditions(self) -> Choices:
        return {name: (label, Q(payment_word__in=of)) for name, (label, of) in PAYMENTS.items()}


class ParametersFilter(admin.ListFilter):
    """A filter of several parameters: `values` has those of the address."""

    names: ClassVar[tuple[str, ...]]

    def __init__(self, request: HttpRequest, params: dict[str, Any], *of: Any) -> None:
        super().__init__(request, params, *of)
        self.values = {
            name: (params.pop(name) or [""])[-1] for name in self.names if name in params
        }
        self.used_parameters.update({name: value for name, value in self.values.items() if value})

    def expected_parameters(self) -> list[str | None]:
        """Return the names in the address."""
        return list(self.names)


class OrderedFilter(ParametersFilter):
    """From when to when orders were placed: days of the seller, both included."""

    title = gettext_lazy("ordered")
    template = "staff/days_filter.html"
    names = ("since", "until")

    def has_output(self) -> bool:
        """Return whether there is something to choose: always."""
        return True

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        """Yield the days as given, and what else stands in the address."""
        is_chosen = any(self.values.values())
        yield {
            "selected": is_chosen,
            "display": pgettext("filter", "Days") if is_chosen else pgettext("filter", "Any"),
            "count": None,
            "days": {name: self.values.get(name, "") for name in self.names},
            "others": [
                (name, value)
                for name, values in changelist.filter_params.items()
                for value in values
                if name not in self.names
            ],
        }

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Return the orders placed in these days; what is no day is not asked for."""
        days = {name: parse_day(value) for name, value in self.values.items()}
        if since := days.get("since"):
            queryset = queryset.filter(placed_at__gte=midnight(since))
        if until := days.get("until"):
            queryset = queryset.filter(placed_at__lt=midnight(until + timedelta(days=1)))
        return queryset


class SoldFilter(ParametersFilter):
    """The orders behind a figure of the reports; it is no choice of the list itself and shows while
    it holds.
    """

    title = gettext_lazy("confirmation")
    template = "admin/filter.html"
    names = ("sold_since", "sold_until", *(f"sold_{of}" for of in THINGS))

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        since, until = (parse_day(self.values.get(name, "")) for name in self.names[:2])
        self.days = Days(since, until) if since and until else None
        keys = {of: id_in(self.values.get(f"sold_{of}", "")) for of in THINGS}
        self.only = {of: key for of, key in keys.items() if key is not None}

    def has_output(self) -> bool:
        """Return whether the list was opened from a figure."""
        return self.days is not None

    def choices(self, changelist: ChangeList) -> Iterator[Any]:
        """Yield the way out, and what is shown."""
        assert self.days is not None
        yield {
            "selected": False,
            "query_string": changelist.get_query_string(remove=list(self.names)),
            "display": pgettext("filter", "Any"),
        }
        display = f"{self.days.since} – {self.days.until}"
        if self.only:
            things = ", ".join(str(THINGS[of]) for of in self.only)
            display = phrase("%(days)s, of this %(things)s", days=display, things=things)
        yield {"selected": True, "query_string": changelist.get_query_string(), "display": display}

    def queryset(self, request: HttpRequest, queryset: QuerySet) -> QuerySet:
        """Return the orders behind the figure."""
        return sold(queryset, days=self.days, only=self.only) if self.days else queryset
