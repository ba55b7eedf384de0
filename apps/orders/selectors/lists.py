"""The list of a company's orders: one statement, a page at a time."""

from collections.abc import Iterable
from typing import Any

from django.db.models import CharField, QuerySet
from django.db.models.functions import Cast, TruncDate
from django.utils import timezone

from apps.accounts.selectors import Buyer
from apps.common.db.prepared import PreparedQuery, Row
from apps.common.errors import NotFound
from apps.common.types import Json
from apps.orders.models import Order
from apps.orders.selectors.orders import orders_for
from apps.orders.status import LABELS, OrderStatus

PAGE_SIZE = 50
# Ids are below it; it stands for "from the newest" in the prepared pages.
NEWEST = 2**62
# The database cuts and writes the day in the seller's time zone: a page of moments costs more to make than to read.
PLACED_ON = Cast(TruncDate("placed_at", tzinfo=timezone.get_default_timezone()), CharField())
COLUMNS = ("id", "invoice_code", "status", PLACED_ON)


def _page(orders: QuerySet[Order], before: int) -> QuerySet[Order, Any]:
    return orders.filter(pk__lt=before).values_list(*COLUMNS)[: PAGE_SIZE + 1]


ALL_PAGE = PreparedQuery(
    lambda company, before: _page(Order.objects.filter(company_id=company), before), company=int, before=int
)
TAB_PAGE = PreparedQuery(
    lambda company, status, before: _page(Order.objects.filter(company_id=company, status=status), before),
    company=int,
    status=int,
    before=int,
)


def _items(rows: Iterable[tuple[int, str, OrderStatus, str]] | Iterable[Row]) -> list[Json]:
    return [
        {
            "order_id": id_,
            "invoice_code": code,
            "message": LABELS[status],
            "status_id": status,
            "build_date": placed_on,
        }
        for id_, code, status, placed_on in rows
    ]


def order_list(*, buyer: Buyer, status: OrderStatus | None, after: str = "") -> Json:
    """Return a page of the company's orders, newest first, of one status or of all. One statement.

    `after` is the last page's `next`; anything else that is sent as `after` finds nothing.
    """
    before = NEWEST
    if after:
        before = int(after) if after.isascii() and after.isdigit() and len(after) < 19 else 0
    if status is None:
        rows = ALL_PAGE(company=buyer.company_id, before=before)
    else:
        rows = TAB_PAGE(company=buyer.company_id, status=int(status), before=before)
    page = rows[:PAGE_SIZE]
    has_next = len(rows) > PAGE_SIZE
    return {"orderList": _items(page), "has_next": has_next, "next": str(page[-1][0]) if has_next else None}


def order_in_list(*, buyer: Buyer, status: OrderStatus | None, invoice_code: str) -> Json:
    """Return one order as a list, empty when it is not in the tab. One statement.

    Raises:
        NotFound: unknown, or another company's.
    """
    rows = list(orders_for(buyer).filter(invoice_code=invoice_code).values_list(*COLUMNS))
    if not rows:
        raise NotFound
    in_tab = [row for row in rows if status is None or row[2] == status]
    return {"orderList": _items(in_tab), "has_next": False, "next": None}
