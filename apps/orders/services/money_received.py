"""What an order knows of its money: sums as columns, set by the payments app."""

from datetime import datetime
from decimal import Decimal

from apps.accounts.models import User
from apps.common.money import ZERO
from apps.orders import mail
from apps.orders.models import Order, OrderEvent
from apps.orders.selectors import due_of
from apps.orders.services.moves import move_order
from apps.orders.status import OrderStatus


def record_money_received(
    *,
    order: Order,
    amount: Decimal,
    is_deposit: bool,
    written_off: Decimal = ZERO,
    actor: User | None,
    note: str,
    now: datetime,
) -> None:
    """Add money received (US dollars, without PayPal's fee) to a locked order, in the caller's transaction.

    A confirmed order with nothing due any more moves to Completed Payment by itself, with its mail.
    """
    order.received += amount
    order.written_off += written_off
    if is_deposit:
        order.deposit_received += amount
    order.version += 1
    order.save(update_fields=["received", "written_off", "deposit_received", "version"])
    OrderEvent.objects.create(order=order, kind=OrderEvent.Kind.PAYMENT, actor=actor, note=note, at=now)
    _move_if_paid(order, actor=actor, now=now)


def record_money_returned(
    *, order: Order, amount: Decimal, is_deposit: bool, actor: User | None, note: str, now: datetime
) -> None:
    """Take money that went back to the buyer (US dollars) off what a locked order has received.

    Of a paid order it is not asked for again; of a confirmed one it is due again.
    """
    order.received -= amount
    if is_deposit:
        order.deposit_received -= min(amount, order.deposit_received)
    if order.status >= OrderStatus.PAID:
        order.written_off += amount
    order.version += 1
    order.save(update_fields=["received", "deposit_received", "written_off", "version"])
    OrderEvent.objects.create(order=order, kind=OrderEvent.Kind.PAYMENT, actor=actor, note=note, at=now)


def _move_if_paid(order: Order, *, actor: User | None, now: datetime) -> None:
    """Move a confirmed order with nothing due to Completed Payment, with its mail; else do nothing."""
    if order.status == OrderStatus.CONFIRMED and not due_of(order):
        move_order(order=order, target=OrderStatus.PAID, actor=actor, now=now)
        mail.queue_paid(order)


def set_payment_flags(*, order: Order, wire_announced: bool, payment_pending: bool) -> None:
    """Write to a locked order which of its payments are under way."""
    order.wire_announced, order.payment_pending = wire_announced, payment_pending
    order.save(update_fields=["wire_announced", "payment_pending"])


def record_credit(*, order: Order, amount: Decimal) -> None:
    """Add money (US dollars) given back to the company's wallet to a locked order."""
    order.credited += amount
    order.save(update_fields=["credited"])
