"""The note for the buyer that staff write on an order, and what they have read of the buyer's words."""

from datetime import datetime

from apps.accounts.models import User
from apps.common.db.transactions import one_transaction
from apps.common.permissions import needs
from apps.orders.models import Order, OrderEvent
from apps.orders.selectors import get_order_for_staff


def _record(order: Order, kind: OrderEvent.Kind, *, actor: User, note: str = "", now: datetime) -> None:
    OrderEvent.objects.create(order=order, kind=kind, actor=actor, note=note, at=now)


@needs("orders.change_order")
@one_transaction
def write_memo(*, order_id: int, text: str, actor: User, now: datetime) -> Order:
    """Set the note for the buyer; empty takes it away (readings, On the screens: `memo`).

    Raises:
        NotFound: there is no such order.
    """
    order = get_order_for_staff(order_id=order_id, lock=True)
    order.memo = text.replace("\r\n", "\n").strip()
    order.version += 1
    order.save(update_fields=["memo", "version"])
    _record(order, OrderEvent.Kind.MEMO, actor=actor, note=order.memo, now=now)
    return order


@needs("orders.change_order")
@one_transaction
def mark_read(*, order_id: int, actor: User, now: datetime) -> Order:
    """Mark message, shipping request and address change of an order as seen; nothing to mark changes nothing.

    Raises:
        NotFound: there is no such order.
    """
    order = get_order_for_staff(order_id=order_id, lock=True)
    if order.message_unread or order.ship_memo_unread or order.address_changed:
        order.message_unread = order.ship_memo_unread = order.address_changed = False
        order.save(update_fields=["message_unread", "ship_memo_unread", "address_changed"])
        _record(order, OrderEvent.Kind.READ, actor=actor, now=now)
    return order
