"""A wire that was booked on the wrong order: moved to the right one by a counter-entry, the booking
stays as it was.
"""

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.utils.translation import gettext as _

from apps.accounts.models import User
from apps.common.db.transactions import one_transaction
from apps.common.mail import queue
from apps.common.money import ZERO, dollars, usd
from apps.common.permissions import needs
from apps.common.texts import Text
from apps.orders.errors import StaffRefusal
from apps.orders.models import IssuedDocument, Order
from apps.orders.selectors import due_of, get_order_for_staff
from apps.orders.services import record_money_moved, withdraw_document
from apps.orders.status import OrderStatus
from apps.payments import mail
from apps.payments.models import Payment, WireMove
from apps.payments.selectors import announced_wires, kind_of, open_amount
from apps.payments.services.attempts import ADMIN
from apps.payments.services.checks import check_amount, lock_payment, reason_of
from apps.payments.services.moves import record_remark
from apps.payments.services.receive import WirePart, receive_wire
from apps.payments.states import PaymentState


@dataclass(frozen=True)
class MoveFigures:
    """What moving a wire would do, in US dollars: `part` is what the other order gets, and what it
    asks for now.
    """

    part: WirePart
    received: tuple[Decimal, Decimal]
    due: tuple[Decimal, Decimal]
    told: bool


def movable(payment: Payment) -> Decimal:
    """Return the US dollars of a payment that can be moved to another order: none unless it is a
    booked wire.

    What went to the company's wallet already cannot be moved.
    """
    order = payment.order
    if (
        payment.method != Payment.Method.WIRE
        or payment.state != PaymentState.CAPTURED
        or order is None
    ):
        return ZERO
    if order.status == OrderStatus.CANCELLED:  # its money went to the wallet
        return ZERO
    return max(ZERO, min(payment.kept, usd(order.received - order.credited)))


def move_figures(*, payment: Payment, to: Order, amount: Decimal) -> MoveFigures:
    """Return what moving an amount of a wire to another order would do to the order that has it
    now.
    """
    order = payment.order
    assert order is not None
    kind = kind_of(to)
    wire = announced_wires(to).filter(kind=kind).first()
    left = order.received - amount
    due = due_of(order)
    after = max(
        ZERO, order.real_total + order.shipping_fee - left + order.credited - order.written_off
    )
    return MoveFigures(
        part=WirePart(to.pk, wire.pk if wire else None, open_amount(to, kind, wire), amount),
        received=(order.received, left),
        due=(due, after if OrderStatus(order.status).is_priced else ZERO),
        told=_was_told_paid(order),
    )


def _was_told_paid(order: Order) -> bool:
    return order.status in (OrderStatus.PAID, OrderStatus.SHIPPED)


@needs("payments.change_payment")
@one_transaction
def move_wire(
    *, payment_id: int, part: WirePart, seen: Decimal, reason: str, actor: User, now: datetime
) -> Payment:
    """Move US dollars of a booked wire to another order; return the payment that they become there.

    The order that had them owes them again, whatever its status: a paid one keeps the status, does
    not ship until it is paid once more, its receipt is withdrawn and its buyer told. `part` is what
    the other order gets and asked for, `seen` what could be moved, when staff looked.

    Raises:
        NotFound: there is no such payment or order.
        WrongStatus: the other order takes no money.
        StaffRefusal: no reason, not a booked wire, more than there is, another figure than those
            seen, the same order, or what `receive_wire` refuses of the other order.
    """
    reason = reason_of(reason, missing=_("Enter why it is moved."))
    order, source = lock_payment(payment_id, part.order_id)
    if order.pk == part.order_id:
        text = _("It is booked on this order.")
        raise StaffRefusal(text, errors={"to": [text]})
    moved = _("%(limit)s can be moved by now, not %(seen)s.")
    check_amount(part.amount, limit=movable(source), seen=seen, other=moved)
    was_told_paid = _was_told_paid(order)
    other = get_order_for_staff(order_id=part.order_id)
    said = {"amount": dollars(part.amount), "order": other, "reason": reason}
    note = Text(
        "%(amount)s of the wire from %(depositor)s moved to %(order)s: %(reason)s",
        depositor=source.depositor,
        **said,
    )
    record_money_moved(
        order=order,
        amount=part.amount,
        is_deposit=source.kind == Payment.Kind.DEPOSIT,
        actor=actor,
        note=note.stored(),
        now=now,
    )
    note = Text("%(amount)s moved to %(order)s: %(reason)s", **said)
    record_remark(source, source=ADMIN, note=note, actor=actor, now=now)
    (target,) = receive_wire(
        parts=[part], arrived=part.amount, depositor=source.depositor, actor=actor, now=now
    )
    WireMove.objects.create(
        source=source, target=target, amount=part.amount, reason=reason, actor=actor, at=now
    )
    note = Text("Booked on %(order)s before: %(reason)s", order=order, reason=reason)
    record_remark(target, source=ADMIN, note=note, actor=actor, now=now)
    if was_told_paid:
        withdraw_document(order=order, kind=IssuedDocument.Kind.RECEIPT, now=now)
        queue([mail.wire_moved(order, amount=part.amount)])
    return target
