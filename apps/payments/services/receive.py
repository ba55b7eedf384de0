"""One bank transfer over one or several orders, and money that an order had received before it
moved in.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from apps.accounts.models import User
from apps.common.db.transactions import one_transaction
from apps.common.money import ZERO, dollars
from apps.common.permissions import needs
from apps.common.texts import Text, phrase
from apps.orders.errors import StaffRefusal
from apps.orders.models import Order, OrderEvent
from apps.orders.selectors.orders import get_order_for_staff
from apps.orders.services.moves import record
from apps.payments.models import Payment, PaymentEvent
from apps.payments.selectors import get_payment, kind_of, open_amount
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
    orders = {
        pk: get_order_for_staff(order_id=pk, lock=True)
        for pk in sorted({part.order_id for part in parts})
    }
    for part in parts:
        order = orders[part.order_id]
        wire = get_payment(payment_id=part.payment_id) if part.payment_id else None
        asked = open_amount(order, wire.kind if wire else kind_of(order), wire)
        if asked != part.asked or (wire is not None and wire.order_id != order.pk):
            raise StaffRefusal(
                _("%(asked)s is due on %(order)s now, not %(seen)s."),
                order=str(order),
                asked=dollars(asked),
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
