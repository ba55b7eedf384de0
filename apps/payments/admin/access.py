"""Who may work at the payment desk, and what its pages share."""

from collections.abc import Callable
from decimal import Decimal
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Model
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse_lazy

from apps.common.promises import Promise, term_of
from apps.common.staff import run_action, staff_page
from apps.common.texts import Text, phrase
from apps.orders.admin.base import page_of
from apps.payments.admin.forms import show_now
from apps.payments.models import Payment
from apps.payments.services.wire_returns import movable

CHANGE = "payments.change_payment"
VIEW, CORRECT = "payments.view_walletentry", "payments.add_walletentry"
DESK = reverse_lazy("admin:payments_payment_desk")
STATEMENTS = reverse_lazy("admin:payments_payment_statements")
WALLETS = reverse_lazy("admin:payments_walletentry_changelist")


def to_send() -> str:
    """Return what staff do about money that is owed by bank."""
    return phrase(
        "you send it within %(term)s and mark it as sent on the desk", term=term_of(Promise.REFUND)
    )


def wire_with_rest(pk: int) -> tuple[Payment, Decimal]:
    """Return a wire of an order, and how many US dollars of it can be moved or refunded; Http404
    if there is none.
    """
    wires = Payment.objects.select_related("order__company", "order__user")
    wires = wires.prefetch_related("moves_away", "wire_refunds")
    wire = get_object_or_404(wires, pk=pk, method=Payment.Method.WIRE, order__isnull=False)
    return wire, movable(wire)


def nothing_of(
    request: HttpRequest, wire: Payment, limit: Decimal, text: str
) -> HttpResponse | None:
    """Lead back to the order of a wire of which nothing is left, and say so; a form that was sent
    is answered by its service.
    """
    if limit or request.method == "POST":
        return None
    messages.warning(request, text % {"wire": wire})
    return redirect(page_of(wire.order))


def data_of(request: HttpRequest, name: str) -> dict[str, str] | None:
    """Return the data of a form that first shows what it will do: None before the field `name`
    came.
    """
    data = request.POST if request.method == "POST" else request.GET
    return data.dict() if name in data else None


def decide(
    request: HttpRequest,
    obj: Model,
    form: forms.Form,
    done: Text | Callable[[dict[str, Any]], Text],
    service: Callable[..., object],
    *,
    then: str,
    page: Callable[[], dict[str, Any]],
    seen: Callable[[], dict[str, Decimal]] = dict,
    **options: Any,
) -> HttpResponse:
    """Show a form of the desk with what it will do (GET); call its service with its fields (POST).

    A refusal shows the `page` with the figures of now, those `seen` in the form too. `options` are
    those of `run_action`, among them what else the service gets.
    """
    if request.method == "POST" and form.is_valid():
        fields = form.cleaned_data
        text = done if isinstance(done, Text) else done(fields)
        if run_action(request, obj, text, service, form=form, **options, **fields):
            return redirect(then)
        show_now(form, **seen())
    return staff_page(request, "staff/decide.html", form=form, **page())
