"""What every change of an order begins and ends with: its lock, version and history; and the one
writer of its status and of what hangs on it: due time, tallies, sales, money received.
"""

from collections.abc import Callable
from datetime import datetime
from decimal import Decimal
from typing import Any, ParamSpec, TypeVar

from django.db.models import Q
from django.utils import timezone

from apps.accounts.models import User
from apps.accounts.selectors import Buyer
from apps.common.db.transactions import one_transaction
from apps.common.mail import queue
from apps.common.money import ZERO
from apps.common.permissions import needs
from apps.common.texts import Text, gettext as _, stored
from apps.common.types import Label
from apps.orders import mail
from apps.orders.errors import StaleOrder
from apps.orders.models import (
    Order,
    OrderEvent,
    month_bucket,
    status_bucket,
)
from apps.orders.selectors.orders import due_of, get_order_for_staff, step_due_at
from apps.orders.services.lines import allocate_released_stock
from apps.orders.services.tallies import count_order, count_sale
from apps.orders.signals import order_paid
from apps.orders.status import LIVE, OrderStatus, check_move

P = ParamSpec("P")
T = TypeVar("T")


def changes_order(service: Callable[P, T]) -> Callable[P, T]:
    """Let a service run for an `actor` who may change orders, in one transaction of its own."""
    return needs("orders.change_order")(one_transaction(service))


def locked_order(order_id: int, *, version: int | None = None) -> Order:
    """Return an order with its company and the user who ordered, locked until the transaction's
    end; of the `version` that a page showed, where it is named.

    Raises:
        NotFound: there is none.
        StaleOrder: somebody changed it since the page was opened; says who and when.
    """
    order = get_order_for_staff(order_id=order_id, lock=True)
    if version is not None and order.version != version:
        raise stale(order)
    return order


def stale(order: Order) -> StaleOrder:
    """Return the refusal that names who of the staff changed the order last, and when."""
    changes = Q(actor__is_staff=True) | Q(kind=OrderEvent.Kind.PROPOSAL)
    events = OrderEvent.objects.filter(changes, order=order).exclude(kind=OrderEvent.Kind.SEEN)
    event = events.select_related("actor").order_by("-id").first()
    return stale_since(event.actor if event else None, event.at if event else order.status_at)


def stale_since(who: User | None, at: datetime) -> StaleOrder:
    """Return the refusal that names who was quicker, and when."""
    when = f"{timezone.localtime(at):%Y-%m-%d %H:%M}"
    return StaleOrder(who=who.manager if who else _("Somebody"), when=when)


def save_changed(order: Order, *columns: str) -> None:
    """Save columns of a locked order and raise its version: pages that staff have open are stale.
    One statement.
    """
    order.version += 1
    order.save(update_fields=[*columns, "version"])


def record(
    order: Order,
    kind: OrderEvent.Kind,
    note: Label | Text = "",
    *,
    actor: User | Buyer | None = None,
    now: datetime,
    **columns: Any,
) -> None:
    """Write what happened to an order into its history, with what people wrote or a text of ours;
    nobody is the portal. What has a `key` happens to an order once.
    """
    actor_id = actor.id if actor else None
    OrderEvent.objects.create(
        order=order, kind=kind, note=stored(note), actor_id=actor_id, at=now, **columns
    )


PARCEL = ["tracking_number", "shipping_url", "carrier", "expected_on"]


def move_order(
    *, order: Order, target: OrderStatus, actor: User | None, note: str | Text = "", now: datetime
) -> None:
    """Move a locked order to a status: event, due time and tallies with it (section 4, Order
    status).

    The caller saves other columns that it changed, and the lines of an order to confirm: they are
    counted as sold. This saves the status, its times and the version. A paid order is announced as
    `order_paid`: the payments that paid it are stored by then.

    Raises:
        WrongStatus: the life cycle has no such move.
    """
    current = order.state
    check_move(current, target)
    order.status, order.status_at = target, now
    order.due_at = step_due_at(target, since=now)
    order.version += 1
    fields = ["status", "status_at", "due_at", "version"]
    if target is OrderStatus.CANCELLED:
        order.cancelled_at, order.cancel_reason = now, stored(note)
        fields += ["cancelled_at", "cancel_reason"]
    if target is OrderStatus.SHIPPED:
        fields += PARCEL  # the database wants status and number together
    order.save(update_fields=fields)
    record_status(order=order, previous=current, actor=actor, note=note, now=now)
    if target is OrderStatus.CONFIRMED:
        count_sale(order)
    if target is OrderStatus.CANCELLED and current.is_priced:
        count_sale(order, sign=-1)
    if target is OrderStatus.PAID:
        order_paid.send(sender=Order, order=order, now=now)


def record_status(
    *,
    order: Order,
    previous: OrderStatus | None,
    actor: User | None,
    note: str | Text = "",
    now: datetime,
) -> None:
    """Write the event of a status just reached, and count the order there. Two statements."""
    steps = {"from_status": previous, "to_status": order.status}
    record(order, OrderEvent.Kind.STATUS, note, actor=actor, now=now, **steps)
    changes = {}
    if previous is not None:
        changes[status_bucket(previous)] = -1
    if order.status in LIVE:
        changes[status_bucket(order.status)] = 1
    if previous is None:
        changes[month_bucket(order.month)] = 1
    elif order.status not in LIVE:
        changes[month_bucket(order.month)] = -1
    count_order(order, changes)


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
    if due_of(order) or not order.state.is_priced:
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


@changes_order
def start_preparing(*, order_id: int, actor: User, now: datetime) -> Order:
    """Move a received order to Preparing (readings, Order life).

    Raises:
        NotFound: there is none.
        WrongStatus: it is not at Received.
        OutOfStock: its deposit was denied meanwhile, and its pieces are gone.
    """
    order = locked_order(order_id)
    check_move(order.state, OrderStatus.PREPARING)
    allocate_released_stock(order)
    move_order(order=order, target=OrderStatus.PREPARING, actor=actor, now=now)
    return order
