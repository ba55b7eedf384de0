"""Money that goes back by hand: first how much and where, with what will happen, then the deed."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils import timezone

from apps.common.staff import run_action, staff_of, staff_page
from apps.orders.admin.base import page_of, trail
from apps.orders.status import OrderStatus
from apps.payments.admin.access import TO_SEND, data_of, nothing_of, wire_with_rest
from apps.payments.admin.forms import RefundWireForm, show_now
from apps.payments.mail import wire_refunded
from apps.payments.services.refund_wire import WORDS, Way, refund_figures, refund_wire


def refund_wire_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask how much of a wire goes back and where (GET), show what that does, and refund it
    (POST).
    """
    wire, limit = wire_with_rest(pk)
    if back := nothing_of(request, wire, limit, to="refund"):
        return back
    form = RefundWireForm(refund_data(request, limit), initial={"amount": limit})
    if request.method == "POST" and form.is_valid():
        fields = {**form.cleaned_data, "way": Way(form.cleaned_data["way"])}

        def service() -> object:
            return refund_wire(payment_id=pk, actor=staff_of(request), now=timezone.now(), **fields)

        assert wire.order is not None
        done = f"{fields['amount']:,.2f} of a wire refunded {WORDS[fields['way']]}"
        if run_action(request, wire.order, done, service, form=form):
            return HttpResponseRedirect(page_of(wire.order))
        wire, limit = wire_with_rest(pk)
        show_now(form, seen=limit)
    order = wire.order
    assert order is not None
    context: dict[str, Any] = {"effects": None}
    if amount := refund_amount(form, limit):
        way, is_priced = Way(form.cleaned_data["way"]), OrderStatus(order.status).is_priced
        is_to_wallet = way is Way.WALLET
        figures = refund_figures(payment=wire, amount=amount, way=way)

        def change(label: str, before_after: tuple[Decimal, Decimal]) -> tuple[str, str, str]:
            return label, f"{before_after[0]:,.2f}", f"{before_after[1]:,.2f}"

        context = {
            "deed": f"Refund {amount:,.2f} {WORDS[way]}",
            "letter": wire_refunded(
                order,
                amount=amount,
                due=figures.due[1],
                to_wallet=is_to_wallet,
                reason=form.cleaned_data["reason"],
            ),
            "effects": [
                change("Received", figures.received),
                *([change("Balance due", figures.due)] if is_priced else []),
                ("Due again" if figures.is_asked_again else "Waived", "", f"{amount:,.2f}"),
                change("Wallet of the company", figures.wallet)
                if is_to_wallet
                else ("At the bank", "", TO_SEND),
                ("Status", "", f"{OrderStatus(order.status).label}, stays"),
                ("Mail", "", f"to {order.user.email}"),
                ("History", "", "1 entry, you, now"),
            ],
        }
    return refund_page(
        request,
        form,
        limit,
        title=f"Refund a wire of {order.invoice_code}",
        subtitle=f"{wire.depositor}, {wire.received:,.2f} USD",
        trail=trail(order),
        here="Refund a wire",
        most="what this wire brought, less what was moved and refunded before.",
        back=page_of(order),
        **context,
    )


def refund_data(request: HttpRequest, limit: Decimal) -> dict[str, str] | None:
    """Return the data of a form of money that goes back; what is only shown is shown by the limit
    of now.
    """
    data = data_of(request, "amount")
    return data if data is None or request.method == "POST" else {**data, "seen": str(limit)}


def refund_amount(form: Any, limit: Decimal) -> Decimal | None:
    """Return how much goes back by a form whose effects can be shown, in US dollars."""
    if not form.is_bound or not form.is_valid():
        return None
    amount: Decimal = form.cleaned_data["amount"]
    if amount > limit:
        form.add_error("amount", f"At most {limit:,.2f}.")
        return None
    return amount


def refund_page(
    request: HttpRequest,
    form: Any,
    limit: Decimal,
    *,
    effects: Sequence[tuple[str, str, str]] | None,
    **context: Any,
) -> HttpResponse:
    """Show a form of money that goes back, and its effects once they are known."""
    return staff_page(
        request,
        "staff/refund.html",
        form=form,
        limit=limit,
        effects=effects,
        is_shown=bool(effects),
        bar=bool(effects),
        **context,
    )
