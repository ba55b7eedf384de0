"""Held PayPal money that staff give to its order after all (design/admin.md, Payment desk)."""

from dataclasses import dataclass, replace
from datetime import datetime
from decimal import Decimal

from django.utils.translation import gettext as _, gettext_lazy

from apps.accounts.models import User
from apps.catalog.selectors import products_by_sku
from apps.common.db.transactions import one_transaction
from apps.common.errors import row_or_404
from apps.common.money import ZERO, dollars
from apps.common.permissions import needs
from apps.common.texts import Text, phrase, text_of
from apps.orders.errors import StaffRefusal
from apps.orders.status import OrderStatus
from apps.payments.gateway import provider_of
from apps.payments.models import Payment
from apps.payments.provider import Outcome
from apps.payments.selectors import announced_wires, open_amount
from apps.payments.services.moves import (
    ADMIN,
    DEPOSIT,
    Locked,
    has_live_sibling,
    lock_attempt,
    move_payment,
    one_line,
    refresh_payment_flags,
)
from apps.payments.services.refunds import refundable
from apps.payments.services.settle import place_paid, settle
from apps.payments.services.wallet import record_received
from apps.payments.services.wire import write_off
from apps.payments.states import PaymentState

PIECES_MISSING = gettext_lazy(
    "Some pieces are gone. Take them as a back-order, or send the money back."
)
ASKING = {
    Payment.Kind.DEPOSIT: (OrderStatus.RECEIVED, OrderStatus.PREPARING, OrderStatus.CONFIRMED),
    Payment.Kind.BALANCE: (OrderStatus.CONFIRMED,),
}


@dataclass(frozen=True)
class HeldFigures:
    """What booking held money would do, in US dollars; `obstacle` is why it cannot be booked, if it
    cannot.
    """

    obstacle: str
    asked: Decimal
    share: Decimal
    makes_order: bool = False
    pieces_gone: bool = False


@one_transaction
def held_figures(*, payment_id: int, now: datetime) -> HeldFigures:
    """Return what an order would get of a held payment, what it asks for now, and whether pieces
    are gone.
    """
    locked = lock_attempt(payment_id)
    obstacle = _obstacle(locked)
    makes_order, draft, pieces_gone = not obstacle and locked.order is None, locked.draft, False
    if makes_order and draft is not None and not locked.buyer.stock_free:
        counts = {line["sku"]: line["count"] for line in draft.lines}
        products = products_by_sku(buyer=locked.buyer, skus=counts, now=now)
        pieces_gone = any(
            sku not in products or products[sku].qty < count for sku, count in counts.items()
        )
    return HeldFigures(
        obstacle=obstacle,
        asked=_due_now(locked),
        share=locked.payment.share,
        makes_order=makes_order,
        pieces_gone=pieces_gone,
    )


@needs("payments.change_payment")
def book_held(
    *,
    payment_id: int,
    reason: str,
    asked: Decimal,
    back_order: bool = False,
    write_off_reason: str = "",
    actor: User,
    now: datetime,
) -> Payment:
    """Give held money to its order: what PayPal took without the surcharge; a deposit's order is
    made with it.

    PayPal is asked first, outside any transaction, whether the money is still there. `asked` is
    what the page said that the order asks for (US dollars); `back_order` promises pieces that are
    gone, beyond the shelf.

    Raises:
        NotFound: there is no such payment.
        StaffRefusal: not held (any more), PayPal does not have the money, part of it went
            back, the order cannot take it or asks for another amount by now, pieces are gone, or a
            rest that cannot be written off.
    """
    reason = one_line(reason)
    payment = row_or_404(Payment.objects.filter(pk=payment_id, method=Payment.Method.PAYPAL))
    if payment.state == PaymentState.HELD:
        evidence = provider_of(payment).fetch(payment)
        payment = settle(payment_id=payment_id, evidence=evidence, source=ADMIN, now=now)
        is_there = (
            evidence.outcome is Outcome.CAPTURED
            and evidence.sale_id == payment.sale_id
            and (evidence.amount, evidence.currency) == (payment.charged, payment.currency)
        )
        if payment.state == PaymentState.HELD and not is_there:
            raise StaffRefusal(
                _(
                    "PayPal does not say that it has this money. Ask again, "
                    "or look at PayPal's own pages."
                )
            )
    rest_reason = write_off_reason.strip()

    @one_transaction
    def book() -> Payment:
        locked = lock_attempt(payment_id)
        payment = locked.payment
        if obstacle := _obstacle(locked):
            raise StaffRefusal(obstacle)
        if (by_now := _due_now(locked)) != asked:
            raise StaffRefusal(
                _("%(asked)s is due on the order now, not %(seen)s."),
                asked=dollars(by_now),
                seen=dollars(asked),
            )
        if locked.order is None:
            buyer = replace(locked.buyer, stock_free=True) if back_order else locked.buyer
            if not place_paid(locked, buyer=buyer, now=now):
                raise StaffRefusal(str(PIECES_MISSING), field="back_order")
        order = locked.order
        assert order is not None
        written_off = write_off(order, payment.kind, received=payment.share, reason=rest_reason)
        move_payment(
            payment,
            PaymentState.CAPTURED,
            source=ADMIN,
            note=Text(
                "Booked: %(reason)s. Was: %(trouble)s",
                reason=reason,
                trouble=text_of(payment.alarm or payment.reason),
            ),
            actor=actor,
            now=now,
            order=order,
            received=payment.share,
            reason=reason,
            alarm="",
        )
        refresh_payment_flags(order)
        figures = {"kind": Text(payment.kind.capitalize()), "amount": dollars(payment.share)}
        note = Text("%(kind)s of %(amount)s, held PayPal money", **figures)
        if written_off:
            note = Text(
                "%(kind)s of %(amount)s, held PayPal money, %(rest)s written off: %(reason)s",
                **figures,
                rest=dollars(written_off),
                reason=rest_reason,
            )
        record_received(order, payment, note=note, written_off=written_off, actor=actor, now=now)
        return payment

    return book()


def _due_now(locked: Locked) -> Decimal:
    """Return what the order asks for now, or the list whose order is not made yet."""
    order, payment = locked.order, locked.payment
    if order is None:
        base: Decimal = payment.base
        return base
    is_priced = order.state.is_priced
    return open_amount(order, Payment.Kind.BALANCE if is_priced else payment.kind)


def _obstacle(locked: Locked) -> str:
    """Return why held money cannot be booked; nothing where it can."""
    payment = locked.payment
    if payment.state != PaymentState.HELD:
        return phrase("It is no longer held: %(state)s.", state=payment.get_state_display())
    if refundable(payment) != payment.charged or payment.share <= ZERO:
        return _("It is being sent back, or part of it was.")
    if has_live_sibling(payment):
        return _("Another PayPal payment has its place.")
    order, kind = locked.order, Payment.Kind(payment.kind)
    if order is None:
        is_missing = locked.draft is None or kind != DEPOSIT or payment.checkout is None
        return _("The list is gone, so no order can be made of it.") if is_missing else ""
    if order.status not in ASKING[kind]:
        return phrase("Nothing is due on the order: %(status)s.", status=order.state.staff_label)
    if wire := announced_wires(order).filter(kind=kind).first():
        return phrase(
            "A wire of %(amount)s is announced for it. Refuse that one first.",
            amount=dollars(wire.amount),
        )
    return ""
