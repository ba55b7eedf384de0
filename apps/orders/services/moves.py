"""The one writer of an order's status, and of what hangs on it: event, due time, tallies."""

from datetime import datetime
from decimal import Decimal

from apps.accounts.models import User
from apps.common.db.tally import add_up
from apps.common.texts import Text, stored
from apps.orders.due import step_due_at
from apps.orders.models import Order, OrderEvent, OrderTally, month_bucket, status_bucket
from apps.orders.services.sales import count_sale
from apps.orders.signals import order_paid
from apps.orders.status import LIVE, OrderStatus, check_move

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
    current = OrderStatus(order.status)
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
    OrderEvent.objects.create(
        order=order,
        kind=OrderEvent.Kind.STATUS,
        from_status=previous,
        to_status=order.status,
        actor=actor,
        note=stored(note),
        at=now,
    )
    changes: list[tuple[str, int, Decimal]] = []
    if previous is not None:
        changes.append((status_bucket(previous), -1, -order.total))
    if order.status in LIVE:
        changes.append((status_bucket(order.status), 1, order.total))
    if previous is None:
        changes.append((month_bucket(order.month), 1, order.total))
    elif order.status not in LIVE:
        changes.append((month_bucket(order.month), -1, -order.total))
    _count(order, changes)


def forget_status(order: Order) -> None:
    """Take an open order that is about to be deleted out of the tallies."""
    buckets = status_bucket(OrderStatus(order.status)), month_bucket(order.month)
    _count(order, [(bucket, -1, -order.total) for bucket in buckets])
    OrderTally.objects.filter(company_id=order.company_id, count=0).delete()


def _count(order: Order, changes: list[tuple[str, int, Decimal]]) -> None:
    tallies = [
        OrderTally(company_id=order.company_id, bucket=bucket, count=count, total=total)
        for bucket, count, total in changes
    ]
    add_up(tallies, by=["company_id", "bucket"], sums=["count", "total"])
