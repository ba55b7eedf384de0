"""Money of a wire that goes back: how much of it and where, decided on one page."""

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from apps.common.texts import Text
from apps.orders.admin.base import page_of, trail
from apps.orders.selectors.orders import due_of
from apps.orders.status import OrderStatus
from apps.payments.admin.access import decide, nothing_of, to_send, wire_with_rest
from apps.payments.admin.forms import RefundWireForm
from apps.payments.selectors import wallet_balance
from apps.payments.services.wire_returns import Way, refund_wire


def refund_wire_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Refund money of a wire, to the company's wallet or by bank."""
    wire, limit = wire_with_rest(pk)
    if back := nothing_of(request, wire, limit, _("%(wire)s: nothing of it is left to refund.")):
        return back
    assert wire.order is not None

    def page() -> dict[str, object]:
        wire, limit = wire_with_rest(pk)
        order = wire.order
        assert order is not None
        status, wallet = OrderStatus(order.status), wallet_balance(company_id=order.company_id)
        is_paid = order.status >= OrderStatus.PAID
        return {
            "title": _("Refund a wire of %(order)s") % {"order": order.invoice_code},
            "subtitle": f"{wire.depositor}, {wire.received:,.2f} USD",
            "trail": trail(order),
            "here": _("Refund a wire"),
            "lead": _("A refund is final. Nothing has been done yet."),
            "tone": "danger",
            "figure": "id_amount",
            "verb": _("Refund"),
            "back": page_of(order),
            "effects": [
                (_("Refundable, at most"), "", f"{limit:,.2f}"),
                (pgettext("amount", "Received"), "", f"{order.received:,.2f}"),
                (_("Balance due"), "", f"{due_of(order):,.2f}"),
                (_("Waived") if is_paid else _("Due again"), "", _("what you refund")),
                (_("Wallet of the company"), "", f"{wallet:,.2f}"),
                (_("At the bank"), "", to_send()),
                (_("Status"), "", _("%(status)s, stays") % {"status": status.staff_label}),
                (_("Mail"), "", _("to %(address)s") % {"address": order.user.email}),
            ],
        }

    def done(fields: dict[str, object]) -> Text:
        amount = f"{fields['amount']:,.2f}"
        if fields["way"] == Way.WALLET:
            return Text("%(amount)s of a wire refunded to the wallet", amount=amount)
        return Text("%(amount)s of a wire refunded by bank", amount=amount)

    return decide(
        request,
        wire.order,
        RefundWireForm(request.POST or None, initial={"amount": limit, "seen": limit}),
        done,
        refund_wire,
        payment_id=pk,
        then=page_of(wire.order),
        page=page,
        seen=lambda: {"seen": wire_with_rest(pk)[1]},
    )
