"""Who may work at the payment desk, and what its pages share."""

from decimal import Decimal
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponseRedirect
from django.shortcuts import get_object_or_404
from django.urls import reverse

from apps.common.errors import PortalError
from apps.common.promises import Promise, term_of
from apps.orders.models import Order
from apps.orders.selectors import get_order_for_staff
from apps.payments.models import Payment
from apps.payments.services.move_wire import movable

CHANGE = "payments.change_payment"
VIEW, CORRECT = "payments.view_walletentry", "payments.add_walletentry"
TO_SEND = f"you send it within {term_of(Promise.REFUND)} and note it on the desk"


def order_or_404(order_id: int | None) -> Order:
    """Return an order; Http404 if there is none."""
    try:
        return get_order_for_staff(order_id=order_id or 0)
    except PortalError as error:
        raise Http404 from error


def wire_or_404(pk: int) -> Payment:
    """Return a wire of an order with what was moved and refunded of it; Http404 if
    there is none.
    """
    wires = Payment.objects.select_related("order__company", "order__user")
    wires = wires.prefetch_related("moves_away", "wire_refunds")
    return get_object_or_404(wires, pk=pk, method=Payment.Method.WIRE, order__isnull=False)


def wire_with_rest(pk: int) -> tuple[Payment, Decimal]:
    """Return a wire and how many US dollars of it can be moved or refunded; Http404 if there is
    none.
    """
    wire = wire_or_404(pk)
    return wire, movable(wire)


def nothing_of(
    request: HttpRequest, wire: Payment, limit: Decimal, *, to: str
) -> HttpResponseRedirect | None:
    """Lead back to the order of a wire of which nothing is left; a form that was sent is answered
    by its service.
    """
    if limit or request.method == "POST":
        return None
    messages.warning(request, f"{wire}: there is nothing of it to {to}.")
    return HttpResponseRedirect(page_of(wire.order))


def typed(request: HttpRequest, name: str) -> dict[str, str] | None:
    """Return what was typed into a form that first shows what it will do: nothing before the field
    `name` was.
    """
    data = request.POST if request.method == "POST" else request.GET
    return data.dict() if name in data else None


def page_of(order: Any) -> str:
    """Return the address of an order's page."""
    return reverse("admin:orders_order_change", args=[order.pk])


def trail(order: Order) -> list[tuple[str, str]]:
    """Return the way to an order's page."""
    return [
        ("Orders", reverse("admin:orders_order_changelist")),
        (order.invoice_code, page_of(order)),
    ]
