"""The orders' list where it shows history too: no page of it reads all orders."""

from datetime import datetime
from typing import Any

from django.db.models import Count, Q, QuerySet, Sum
from django.http import HttpRequest, QueryDict

from apps.common.staff_lists import SortedWhileCounted
from apps.orders.models import Order
from apps.orders.selectors.open_money import COST, OPEN_MONEY
from apps.orders.status import OPEN, OrderStatus

OPEN_CHOICES = frozenset(str(int(status)) for status in OPEN)


def is_history(query: QueryDict) -> bool:
    """Return whether a list's address asks for closed orders too."""
    status = query.get("status")
    return status is not None and status not in OPEN_CHOICES


class OrderList(SortedWhileCounted):
    """Open orders in the order that was asked for; history by its index, the newest first."""

    def get_ordering(self, request: HttpRequest, queryset: QuerySet) -> list[Any]:
        """Return what the list is sorted by."""
        return ["-pk"] if is_history(request.GET) else super().get_ordering(request, queryset)


def sums_of(listed: OrderList, *, now: datetime) -> dict[str, Any] | None:
    """Return what all orders of a list cost and still have to bring in US dollars, and how many of
    them are late.

    Nothing for a list that is too long to be counted. One statement.
    """
    if listed.paginator.is_capped or not listed.result_count:
        return None
    found = Order.objects.filter(pk__in=listed.queryset.order_by().values("pk")).order_by()
    return found.aggregate(
        count=Count("pk"),
        total=Sum(COST),
        balance=Sum(OPEN_MONEY, filter=Q(status__gte=OrderStatus.CONFIRMED)),
        late=Count("pk", filter=Q(status__in=OPEN, due_at__lte=now)),
    )
