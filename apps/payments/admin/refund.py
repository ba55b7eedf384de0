"""Money that goes back by hand: first how much and where, with what will happen, then the deed."""

from collections.abc import Sequence
from decimal import Decimal
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.common.staff import run_action, staff_page
from apps.common.texts import Text, phrase
from apps.orders.admin.base import page_of, trail
from apps.payments.admin.access import data_of, nothing_of, to_send, wire_with_rest
from apps.payments.admin.forms import RefundWireForm, show_now
from apps.payments.mail import wire_refunded
from apps.payments.services.wire_returns import Way, refund_figures, refund_wire


def refund_wire_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Ask how much of a wire goes back and where (GET), show what that does, and refund it
    (POST).
    """
    wire, limit = wire_with_rest(pk)
    if back := nothing_of(request, wire, limit, _("%(wire)s: nothing of it is left to refund.")):
        return back
    form = RefundWireForm(refund_data(request, limit), initial={"amount": limit})
    if request.method == "POST" and form.is_valid():
        fields = {**form.cleaned_data, "way": Way(form.cleaned_data["way"])}
        assert wire.order is not None
        money = f"{fields['amount']:,.2f}"
        done = Text("%(amount)s of a wire refunded by bank", amount=money)
        if fields["way"] is Way.WALLET:
            done = Text("%(amount)s of a wire refunded to the wallet", amount=money)
        if run_action(request, wire.order, done, refund_wire, form=form, payment_id=pk, **fields):
            return redirect(page_of(wire.order))
        wire, limit = wire_with_rest(pk)
        show_now(form, seen=limit)
    order = wire.order
    assert order is not None
    context: dict[str, Any] = {"effects": None}
    if amount := refund_amount(form, limit):
        way, is_priced = Way(form.cleaned_data["way"]), order.state.is_priced
        is_to_wallet = way is Way.WALLET
        figures = refund_figures(payment=wire, amount=amount, way=way)

        def change(label: str, before_after: tuple[Decimal, Decimal]) -> tuple[str, str, str]:
            return label, before_after[0], before_after[1]

        deed = phrase("Refund %(amount)s by bank", amount=amount)
        if is_to_wallet:
            deed = phrase("Refund %(amount)s to the wallet", amount=amount)
        context = {
            "deed": deed,
            "letter": wire_refunded(
                order,
                amount=amount,
                due=figures.due[1],
                to_wallet=is_to_wallet,
                reason=form.cleaned_data["reason"],
            ),
            "effects": [
                change(pgettext("amount", "Received"), figures.received),
                *([change(_("Balance due"), figures.due)] if is_priced else []),
                (_("Due again") if figures.is_asked_again else _("Waived"), amount),
                change(_("Wallet of the company"), figures.wallet)
                if is_to_wallet
                else (_("At the bank"), to_send()),
                (
                    _("Status"),
                    phrase("%(status)s, stays", status=order.state.staff_label),
                ),
                (_("Mail"), phrase("to %(address)s", address=order.user.email)),
            ],
        }
    return refund_page(
        request,
        form,
        limit,
        title=phrase("Refund a wire of %(order)s", order=order.invoice_code),
        subtitle=f"{wire.depositor}, {wire.received:,.2f} USD",
        trail=trail(order),
        here=_("Refund a wire"),
        much=_("How much, and where"),
        most=phrase(
            "At most %(limit)s: what this wire brought, less what was moved and refunded before.",
            limit=limit,
        ),
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
        form.add_error("amount", phrase("At most %(limit)s.", limit=limit))
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
