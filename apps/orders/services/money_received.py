"""What an order knows of its money: sums as columns, set by the payments app."""

from datetime import datetime
from decimal import Decimal

from apps.accounts.models import User
from apps.common.mail import queue
from apps.common.money import ZERO
from apps.common.texts import Text
from apps.orders import mail
from apps.orders.models import Order, OrderEvent
from apps.orders.selectors.orders import due_of
from apps.orders.services.history import record, save_changed
from apps.orders.services.moves import move_order
from apps.orders.signals import order_paid
from apps.orders.status import OrderStatus


def record_money_received(
    *,
    order: Order,
    amount: Decimal,
    is_deposit: bool,
    written_off: Decimal = ZERO,
    actor: User | None,
    note: str | Text,
    now: datetime,
) -> None:
    """Add money received (US dollars, without PayPal's fee) to a locked order, in the caller's
    transaction.

    A confirmed order with nothing due any more moves to Completed Payment by itself, with its mail.
    One that was paid before, until a wire of it was moved away, is paid once more.
    """
    was_due = bool(due_of(order))
    order.received += amount
    order.written_off += written_off
    if is_deposit:
        order.deposit_received += amount
    save_changed(order, "received", "written_off", "deposit_received")
    record(order, OrderEvent.Kind.PAYMENT, note, actor=actor, now=now)
    if due_of(order) or not OrderStatus(order.status).is_priced:
        return
    if order.status == OrderStatus.CONFIRMED:
        move_order(order=order, target=OrderStatus.PAID, actor=actor, now=now)
    elif was_due:
        order_paid.send(sender=Order, order=order, now=now)
    else:
        return
    queue([mail.paid(order)])


def record_money_gone(
    *,
    order: Order,
    amount: Decimal,
    is_deposit: bool,
    is_owed: bool = False,
    actor: User | None,
    note: str | Text,
    now: datetime,
) -> None:
    """Take money that went back to the buyer (US dollars) off what a locked order has received.

    Of a paid order it is not asked for again; of a confirmed one it is due again. What belongs to
    another order `is_owed` again, whatever the status: the status stays, and a paid order does not
    ship until it is paid once more.
    """
    order.received -= amount
    if is_deposit:
        order.deposit_received -= min(amount, order.deposit_received)
    if order.status >= OrderStatus.PAID and not is_owed:
        order.written_off += amount
    save_changed(order, "received", "deposit_received", "written_off")
    record(order, OrderEvent.Kind.PAYMENT, note, actor=actor, now=now)


def set_payment_flags(*, order: Order, wire_announced: bool, payment_pending: bool) -> None:
    """Write to a locked order which of its payments are under way."""
    order.wire_announced, order.payment_pending = wire_announced, payment_pending
    order.save(update_fields=["wire_announced", "payment_pending"])


def record_credit(*, order: Order, amount: Decimal) -> None:
    """Add money (US dollars) given back to the company's wallet to a locked order."""
    order.credited += amount
    order.save(update_fields=["credited"])
