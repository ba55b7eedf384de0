"""Money that an order had received before it moved in, and its way out again."""

from datetime import datetime
from decimal import Decimal

from apps.accounts.models import User
from apps.common.permissions import needs
from apps.common.texts import Text
from apps.orders.models import Order, OrderEvent
from apps.payments.models import Payment, PaymentEvent
from apps.payments.services.wire import capture_wire

MOVED_IN = "moved_in"  # the one source of events that may be deleted again


@needs("payments.change_payment")
def move_money_in(*, order: Order, amount: Decimal, kind: str, at: datetime, actor: User) -> None:
    """Book US dollars that an order which moves in had received, in the caller's transaction.
    Nobody is told, and no credit of the bank stands behind it.
    """
    note = Text("Moved in: %(number)s", number=order.former_number)
    capture_wire(order, kind, amount, source=MOVED_IN, note=note, actor=actor, now=at)
    OrderEvent.objects.create(
        order=order, kind=OrderEvent.Kind.PAYMENT, actor=actor, note=note.stored(), at=at
    )
    order.received += amount
    if kind == Payment.Kind.DEPOSIT:
        order.deposit_received += amount
    order.save(update_fields=["received", "deposit_received"])


@needs("payments.change_payment")
def take_money_out(*, order: Order, actor: User) -> None:
    """Delete the payments that moved in with an order."""
    PaymentEvent.objects.filter(payment__order=order, source=MOVED_IN).delete()
    Payment.objects.filter(order=order).delete()
