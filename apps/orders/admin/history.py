"""The orders' list where it shows history too: no page of it reads all orders."""

from typing import Any

from django.contrib.admin.views.main import ChangeList
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.functional import cached_property

from apps.orders.status import OPEN

MOST_COUNTED = 10_000
OPEN_CHOICES = frozenset(str(int(status)) for status in OPEN)


def is_history(request: HttpRequest) -> bool:
    """Return whether the list is asked for closed orders too."""
    status = request.GET.get("status")
    return status is not None and status not in OPEN_CHOICES


class CappedPaginator(Paginator):
    """Pages of a list that is counted and leafed through up to 10,000 rows; the rest is found by filters and search."""

    object_list: QuerySet

    @cached_property
    def _found(self) -> int:
        return int(self.object_list.order_by()[: MOST_COUNTED + 1].count())

    @cached_property
    def count(self) -> int:
        """Return the number of rows, at most 10,000."""
        return min(self._found, MOST_COUNTED)

    @property
    def is_capped(self) -> bool:
        """Return whether there are more rows than are counted."""
        return self._found > MOST_COUNTED


class OrderList(ChangeList):
    """Open orders in the order that was asked for; history by its index, the newest first."""

    def get_ordering(self, request: HttpRequest, queryset: QuerySet) -> list[Any]:
        """Return what the list is sorted by."""
        return ["-pk"] if is_history(request) else super().get_ordering(request, queryset)
