"""What is asked for now: announced wires, and what open orders still wait for without one."""

from collections.abc import Sequence

from django.conf import settings
from django.db.models import Q

from apps.orders.models import Order
from apps.orders.status import OrderStatus
from apps.payments.bank.matching import Claim, Credit, Match, match_credits
from apps.payments.models import Payment, WireMove
from apps.payments.selectors import kind_of, open_amount
from apps.payments.states import PaymentState

ASKING = (OrderStatus.RECEIVED, OrderStatus.PREPARING, OrderStatus.CONFIRMED)
# These ask again only where a wire of theirs was moved away.
PAID_BEFORE = (OrderStatus.PAID, OrderStatus.SHIPPED)


def open_claims(*, orders: Q | None = None) -> list[Claim]:
    """Return the claims of all orders, or of those of a condition on orders, by code. Three
    statements.

    An order with a PayPal payment under way asks for no wire.
    """
    chosen = Order.objects.filter(orders or Q()).select_related("company")
    wires = Payment.objects.filter(
        method=Payment.Method.WIRE, state=PaymentState.ANNOUNCED, order__in=chosen.order_by()
    ).select_related("order__company")
    moved = WireMove.objects.order_by().values("source__order")
    paid_before = chosen.filter(status__in=PAID_BEFORE, pk__in=moved)
    asking: list[tuple[Order, str, Payment | None]] = [
        (wire.order, wire.kind, wire) for wire in wires if wire.order is not None
    ]
    announced = {(order.pk, kind) for order, kind, _ in asking}
    for order in (*chosen.filter(status__in=ASKING), *paid_before):
        kind = kind_of(order)
        if (order.pk, kind) not in announced and not order.payment_pending:
            asking.append((order, kind, None))
    claims = [
        Claim(
            order_id=order.pk,
            payment_id=wire.pk if wire else None,
            invoice_code=order.invoice_code,
            company_id=order.company_id,
            company=order.company.name,
            depositor=wire.depositor if wire else "",
            kind=kind,
            amount=open_amount(order, kind, wire),
        )
        for order, kind, wire in asking
    ]
    return sorted(
        (claim for claim in claims if claim.amount),
        key=lambda claim: (claim.invoice_code, claim.kind),
    )


def match_now(credits: Sequence[Credit]) -> list[Match]:
    """Return what is proposed for credits, compared with what is asked for now."""
    return match_credits(credits, open_claims() if credits else (), prefix=settings.INVOICE_PREFIX)
