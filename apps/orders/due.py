"""When the step after a status is late: an order's own part of what the seller promises."""

from datetime import datetime

from apps.common.promises import Promise, due_at
from apps.orders.status import OrderStatus

STEP_PROMISES: dict[OrderStatus, Promise] = {
    OrderStatus.RECEIVED: Promise.PREPARE,
    OrderStatus.PREPARING: Promise.CONFIRM,
    OrderStatus.CONFIRMED: Promise.BALANCE,
    OrderStatus.PAID: Promise.SHIP,
}


def step_due_at(status: OrderStatus, *, since: datetime) -> datetime | None:
    """Return when an order that reached a status then is late; None where nothing follows."""
    promise = STEP_PROMISES.get(status)
    return None if promise is None else due_at(promise, since=since)
