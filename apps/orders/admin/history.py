"""The orders' list where it shows history too: no page of it reads all orders."""

from typing import Any

from django.contrib.admin.views.main import ChangeList
from django.db.models import QuerySet
from django.http import HttpRequest

from apps.orders.status import OPEN

OPEN_CHOICES = frozenset(str(int(status)) for status in OPEN)


def is_history(request: HttpRequest) -> bool:
    """Return whether the list is asked for closed orders too."""
    status = request.GET.get("status")
    return status is not None and status not in OPEN_CHOICES


class OrderList(ChangeList):
    """Open orders in the order that was asked for; history by its index, the newest first."""

    def get_ordering(self, request: HttpRequest, queryset: QuerySet) -> list[Any]:
        """Return what the list is sorted by."""
        return ["-pk"] if is_history(request) else super().get_ordering(request, queryset)
