"""One bank transfer over one or several orders, money that an order had received before it moved
in, and a booked wire that is moved to the right order by a counter-entry.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.utils.translation import gettext as _, gettext_noop

from apps.accounts.models import User
from apps.common.db.transactions import one_transaction
from apps.common.mail import queue
from apps.common.money import ZERO, dollars
from apps.common.permissions import needs
from apps.common.texts import Text, phrase
from apps.orders.errors import StaffRefusal
from apps.orders.models import IssuedDocument, Order, OrderEvent
from apps.orders.rules import balance_due
from apps.orders.selectors.orders import get_order_for_staff
from apps.orders.services.documents import withdraw_document
from apps.orders.services.moves import record, record_money_gone
from apps.orders.status import OrderStatus
from apps.payments import mail
from apps.payments.models import (
    Payment,
    PaymentEvent,
    WireMove,
)
from apps.payments.selectors import announced_wires, get_payment, kind_of, open_amount
from apps.payments.services.moves import (
    ADMIN,
    check_amount,
    lock_orders,
    lock_payment,
    one_line,
    record_remark,
)
from apps.payments.services.refunds import movable
from apps.payments.services.wire import book_wire, capture_wire, confirm_wire

WRITE_OFF_REASON = gettext_noop("Bank charges")


@dataclass(frozen=True)
class WirePart:
    """What an order gets of a transfer, in US dollars; `asked` is what it asked for when staff
    looked, `seen` what it had received, where that is known.
    """

    order_id: int
    payment_id: int | None
    asked: Decimal
    amount: Decimal
    written_off: Decimal = ZERO
    seen: Decimal | None = None


@needs("payments.change_payment")
@one_transaction
def receive_wire(
    *,
    parts: Sequence[WirePart],
    arrived: Decimal,
    depositor: str,
    write_off_reason: str = WRITE_OFF_REASON,
    actor: User,
    now: datetime,
) -> list[Payment]:
    """Book a transfer (US dollars) over its orders, all or nothing (design/admin.md, Payment desk).

    Raises:
        NotFound: an order or a payment does not exist.
        WrongStatus: an order is paid, shipped or cancelled.
        StaffRefusal: the parts are not what arrived, an order is named twice or asks for another
            amount by now, or see `confirm_wire` and `book_wire`.
    """
    total = sum((part.amount for part in parts), ZERO)
    if not parts or total != arrived:
        parts_text = phrase("The parts add up to %(parts)s.", parts=dollars(total))
        raise StaffRefusal(
            _("The parts add up to %(parts)s, but %(arrived)s arrived."),
            errors={"received": [parts_text]},
            parts=dollars(total),
            arrived=dollars(arrived),
        )
    if len({(part.order_id, part.payment_id) for part in parts}) != len(parts):
        raise StaffRefusal(_("An order is named twice."))
    orders = lock_orders(part.order_id for part in parts)
    for part in parts:
        order = orders[part.order_id]
        wire = get_payment(payment_id=part.payment_id) if part.payment_id else None
        due = open_amount(order, wire.kind if wire else kind_of(order), wire)
        if due != part.asked or (wire is not None and wire.order_id != order.pk):
            raise StaffRefusal(
                _("%(asked)s is due on %(order)s now, not %(seen)s."),
                order=str(order),
                asked=dollars(due),
                seen=dollars(part.asked),
            )
    payments = []
    for part in parts:
        reason = write_off_reason if part.written_off else ""
        if part.payment_id is None:
            payment = book_wire(
                order_id=part.order_id,
                amount=part.amount,
                depositor=depositor,
                write_off_reason=reason,
                seen=part.seen,
                actor=actor,
                now=now,
            )
        else:
            payment = confirm_wire(
                payment_id=part.payment_id,
                received=part.amount,
                write_off_reason=reason,
                actor=actor,
                now=now,
            )
        payments.append(payment)
    return payments


MOVED_IN = "moved_in"  # the one source of events that may be deleted again


@needs("payments.change_payment")
def move_money_in(*, order: Order, amount: Decimal, kind: str, at: datetime, actor: User) -> None:
    """Book US dollars that an order which moves in had received, in the caller's transaction.
    Nobody is told, and no credit of the bank stands behind it.
    """
    note = Text("Moved in: %(number)s", number=order.former_number)
    capture_wire(order, kind, amount, source=MOVED_IN, note=note, actor=actor, now=at)
    record(order, OrderEvent.Kind.PAYMENT, note, actor=actor, now=at)
    order.received += amount
    if kind == Payment.Kind.DEPOSIT:
        order.deposit_received += amount
    order.save(update_fields=["received", "deposit_received"])


@needs("payments.change_payment")
def take_money_out(*, order: Order, actor: User) -> None:
    """Delete the payments that moved in with an order."""
    PaymentEvent.objects.filter(payment__order=order, source=MOVED_IN).delete()
    Payment.objects.filter(order=order).delete()


def part_for(to: Order, amount: Decimal) -> WirePart:
    """Return what an order gets of a wire that is moved to it, with what it asks for now."""
    kind = kind_of(to)
    wire = announced_wires(to).filter(kind=kind).first()
    return WirePart(to.pk, wire.pk if wire else None, open_amount(to, kind, wire), amount)


def due_without(order: Order, amount: Decimal) -> Decimal:
    """Return the balance that is due once US dollars of what an order received are gone."""
    if not order.state.is_priced:
        return ZERO
    return balance_due(
        real_total=order.real_total,
        shipping_fee=order.shipping_fee,
        received=order.received - amount - order.credited + order.written_off,
    )


def was_told_paid(order: Order) -> bool:
    """Return whether an order's buyer was told that it is paid."""
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
        StaffRefusal: not a booked wire, more than there is, another figure than those seen,
            the same order, or what `receive_wire` refuses of the other order.
    """
    reason = one_line(reason)
    order, source = lock_payment(payment_id, part.order_id)
    if order.pk == part.order_id:
        raise StaffRefusal(_("It is booked on this order."), field="to")
    check_amount(part.amount, limit=movable(source), seen=seen)
    was_told = was_told_paid(order)
    other = get_order_for_staff(order_id=part.order_id)
    values = {"amount": dollars(part.amount), "order": other, "reason": reason}
    note = Text(
        "%(amount)s of the wire from %(depositor)s moved to %(order)s: %(reason)s",
        depositor=source.depositor,
        **values,
    )
    record_money_gone(
        order=order,
        amount=part.amount,
        is_deposit=source.kind == Payment.Kind.DEPOSIT,
        is_owed=True,
        actor=actor,
        note=note.stored(),
        now=now,
    )
    note = Text("%(amount)s moved to %(order)s: %(reason)s", **values)
    record_remark(source, source=ADMIN, note=note, actor=actor, now=now)
    (target,) = receive_wire(
        parts=[part], arrived=part.amount, depositor=source.depositor, actor=actor, now=now
    )
    WireMove.objects.create(
        source=source, target=target, amount=part.amount, reason=reason, actor=actor, at=now
    )
    note = Text("Booked on %(order)s before: %(reason)s", order=order, reason=reason)
    record_remark(target, source=ADMIN, note=note, actor=actor, now=now)
    if was_told:
        withdraw_document(order=order, kind=IssuedDocument.Kind.RECEIPT, now=now)
        queue([mail.wire_moved(order, amount=part.amount)])
    return target
