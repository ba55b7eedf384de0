"""Orders of the list as rows of a table to download."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from apps.common.tables.download import MOST_ROWS, Cell
from apps.orders.admin.filters import PAYMENT_WORDS, with_payment
from apps.orders.models import Order
from apps.orders.selectors import due_of
from apps.orders.status import OrderStatus

HEADINGS = (
    _("Invoice"),
    pgettext_lazy("customer", "Company"),
    _("E-mail"),
    _("Country"),
    _("Status"),
    _("Payment"),
    _("Placed"),
    _("Lines"),
    _("Pieces"),
    _("Total $"),
    _("Received $"),
    pgettext_lazy("order", "Balance $"),
    _("PO number"),
)


def order_rows(orders: QuerySet[Order]) -> Iterator[tuple[Cell, ...]]:
    """Yield the headings, then a row for each order."""
    yield tuple(str(heading) for heading in HEADINGS)
    shown: Any = with_payment(orders).select_related("company", "user", "ship_country")
    for order in shown[:MOST_ROWS].iterator(chunk_size=2000):
        yield (
            order.invoice_code,
            order.company.name,
            order.user.email,
            str(order.ship_country or ""),
            OrderStatus(order.status).staff_label,
            str(PAYMENT_WORDS.get(order.payment_word, "")),
            f"{timezone.localtime(order.placed_at):%Y-%m-%d}",
            order.count,
            order.pieces,
            order.real_total + order.shipping_fee,
            order.received,
            due_of(order),
            order.po_number,
        )
