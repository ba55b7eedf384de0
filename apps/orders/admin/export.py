"""Orders of the list as rows of a table to download."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from apps.common.tables.download import MOST_ROWS, Cell
from apps.orders.admin.filters import PAYMENT_WORDS, with_payment
from apps.orders.models import Order
from apps.orders.selectors import due_of
from apps.orders.status import OrderStatus

FILE_NAME = "Orders"
HEADINGS = (
    "Invoice",
    "Company",
    "E-mail",
    "Country",
    "Status",
    "Payment",
    "Placed",
    "Lines",
    "Pieces",
    "Total $",
    "Received $",
    "Balance $",
    "PO number",
)


def order_rows(orders: QuerySet[Order]) -> Iterator[tuple[Cell, ...]]:
    """Yield the headings, then a row for each order."""
    yield HEADINGS
    shown: Any = with_payment(orders).select_related("company", "user", "ship_country")
    for order in shown[:MOST_ROWS].iterator(chunk_size=2000):
        yield (
            order.invoice_code,
            order.company.name,
            order.user.email,
            str(order.ship_country or ""),
            OrderStatus(order.status).label,
            PAYMENT_WORDS.get(order.payment_word, ""),
            f"{timezone.localtime(order.placed_at):%Y-%m-%d}",
            order.count,
            order.pieces,
            order.real_total + order.shipping_fee,
            order.received,
            due_of(order),
            order.po_number,
        )
