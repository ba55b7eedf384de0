"""Refunding a booked wire: first how much and where, with what will happen, then the deed."""

from decimal import Decimal

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone

from apps.common.staff import run_action, staff_of, staff_page
from apps.orders.admin.base import page_of, trail
from apps.orders.models import Order
from apps.orders.status import OrderStatus
from apps.payments.admin.access import TO_SEND, nothing_of, typed, wire_with_rest
from apps.payments.admin.forms import RefundWireForm, show_now
from apps.payments.mail import wire_refunded
from apps.payments.models import Payment
from apps.payments.services.refund_wire import (
    WORDS,
    RefundFigures,
    Way,
    refund_figures,
    refund_wire,
)


def refund_wire_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask how much of a wire goes back and where (GET), show what that does, and refund it
    (POST).
    """
    wire, limit = wire_with_rest(pk)
    if back := nothing_of(request, wire, limit, to="refund"):
        return back
    form = RefundWireForm(_asked_for(request, limit), initial={"amount": limit})
    if request.method == "POST" and form.is_valid():
        if _refund(request, wire, form):
            return HttpResponseRedirect(page_of(wire.order))
        wire, limit = wire_with_rest(pk)
        show_now(form, seen=limit)
    is_shown = form.is_bound and form.is_valid()
    if is_shown and form.cleaned_data["amount"] > limit:
        form.add_error("amount", f"At most {limit:,.2f}.")
        is_shown = False
    return _shown(request, wire, form, limit, is_shown=is_shown)


def _refund(request: HttpRequest, wire: Payment, form: RefundWireForm) -> bool:
    fields, actor = form.cleaned_data, staff_of(request)
    way = Way(fields["way"])

    def service() -> object:
        return refund_wire(
            payment_id=wire.pk, actor=actor, now=timezone.now(), **{**fields, "way": way}
        )

    order = wire.order
    assert order is not None
    done = f"{fields['amount']:,.2f} of a wire refunded {WORDS[way]}"
    return run_action(request, order, done, service, form=form)


def _shown(
    request: HttpRequest,
    wire: Payment,
    form: RefundWireForm,
    limit: Decimal,
    *,
    is_shown: bool,
) -> HttpResponse:
    order = wire.order
    assert order is not None
    amount, way = (
        (form.cleaned_data["amount"], Way(form.cleaned_data["way"]))
        if is_shown
        else (limit, Way.WALLET)
    )
    figures = refund_figures(payment=wire, amount=amount, way=way) if is_shown else None
    return staff_page(
        request,
        "staff/refund.html",
        title=f"Refund a wire of {order.invoice_code}",
        subtitle=f"{wire.depositor}, {wire.received:,.2f} USD",
        trail=trail(order),
        here="Refund a wire",
        form=form,
        limit=limit,
        most="what this wire brought, less what was moved and refunded before.",
        is_shown=is_shown,
        deed=f"Refund {amount:,.2f} {WORDS[way]}",
        effects=_effects(order, figures, amount, way) if figures else (),
        letter=wire_refunded(
            order,
            amount=amount,
            due=figures.due[1],
            to_wallet=way is Way.WALLET,
            reason=form.cleaned_data["reason"],
        )
        if figures
        else None,
        back=page_of(order),
        bar=is_shown,
    )


def _asked_for(request: HttpRequest, limit: Decimal) -> dict[str, str] | None:
    """Return what was typed; nothing before it was. What is only shown is shown by the limit of
    now.
    """
    data = typed(request, "amount")
    return data if data is None or request.method == "POST" else {**data, "seen": str(limit)}


def _effects(
    order: Order, figures: RefundFigures, amount: Decimal, way: Way
) -> list[tuple[str, str, str]]:
    """Return what will happen: what, how it is now, how it will be."""
    status = OrderStatus(order.status)
    rows = [("Received", f"{figures.received[0]:,.2f}", f"{figures.received[1]:,.2f}")]
    if status.is_priced:
        rows.append(("Balance due", f"{figures.due[0]:,.2f}", f"{figures.due[1]:,.2f}"))
    rows.append(
        (
            "Asked for again" if figures.is_asked_again else "Not asked for again",
            "",
            f"{amount:,.2f}",
        )
    )
    if way is Way.WALLET:
        rows.append(
            ("Wallet of the company", f"{figures.wallet[0]:,.2f}", f"{figures.wallet[1]:,.2f}")
        )
    else:
        rows.append(("At the bank", "", TO_SEND))
    return [
        *rows,
        ("Status", "", f"{status.label}, stays"),
        ("Its buyer", "", f"gets a mail, {order.user.email}"),
        ("History", "", "1 entry, you, now"),
    ]
