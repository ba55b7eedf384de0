"""Who may work at the payment desk, and what its pages share."""

from typing import Any

from django.http import Http404
from django.urls import reverse

from apps.common.errors import PortalError
from apps.orders.models import Order
from apps.orders.selectors import get_order_for_staff

CHANGE = "payments.change_payment"


def order_or_404(order_id: int | None) -> Order:
    """Return an order; Http404 if there is none."""
    try:
        return get_order_for_staff(order_id=order_id or 0)
    except PortalError as error:
        raise Http404 from error


def page_of(order: Any) -> str:
    """Return the address of an order's page."""
    return reverse("admin:orders_order_change", args=[order.pk])


def trail(order: Order) -> list[tuple[str, str]]:
    """Return the way to an order's page."""
    return [("Orders", reverse("admin:orders_order_changelist")), (order.invoice_code, page_of(order))]
