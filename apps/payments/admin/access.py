"""Who may work at the payment desk, and what its pages share."""

from decimal import Decimal

from django.contrib import messages
from django.http import HttpRequest, HttpResponseRedirect
from django.shortcuts import get_object_or_404

from apps.common.promises import Promise, term_of
from apps.orders.admin.base import page_of
from apps.payments.models import Payment
from apps.payments.services.move_wire import movable

CHANGE = "payments.change_payment"
VIEW, CORRECT = "payments.view_walletentry", "payments.add_walletentry"
TO_SEND = f"you send it within {term_of(Promise.REFUND)} and note it on the desk"


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
