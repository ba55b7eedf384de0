"""Staff prepare an order: they start, and keep the confirmation sheet while it is filled in, one
for all of them.
"""

from datetime import datetime

from apps.accounts.models import User
from apps.common.db.transactions import one_transaction
from apps.common.permissions import needs
from apps.orders.models import ConfirmationDraft, DraftSheet, Order
from apps.orders.services.allocation import allocate_released_stock
from apps.orders.services.history import check_draft, locked_order
from apps.orders.services.moves import move_order
from apps.orders.status import OrderStatus, check_move


@needs("orders.change_order")
@one_transaction
def start_preparing(*, order_id: int, actor: User, now: datetime) -> Order:
    """Move a received order to Preparing (readings, Order life).

    Raises:
        NotFound: there is none.
        WrongStatus: it is not at Received.
        OutOfStock: its deposit was denied meanwhile, and its pieces are gone.
    """
    order = locked_order(order_id)
    check_move(OrderStatus(order.status), OrderStatus.PREPARING)
    allocate_released_stock(order)
    move_order(order=order, target=OrderStatus.PREPARING, actor=actor, now=now)
    return order


@needs("orders.change_order")
@one_transaction
def save_draft(
    *, order_id: int, revision: int, sheet: DraftSheet | None, actor: User, now: datetime
) -> int:
    """Keep an order's confirmation sheet, or forget it where there is none; return its revision.

    Nothing of the order changes. `revision` is the one that the page showed, 0 for none.

    Raises:
        NotFound: there is no such order.
        WrongStatus: it is not at Preparing.
        StaleOrder: somebody saved the sheet since.
    """
    order = locked_order(order_id)
    check_move(OrderStatus(order.status), OrderStatus.CONFIRMED)
    check_draft(order, revision=revision)
    ConfirmationDraft.objects.filter(order=order).delete()
    if sheet is None:
        return 0
    saved = {"revision": revision + 1, "sheet": sheet, "saved_by": actor, "saved_at": now}
    ConfirmationDraft.objects.create(order=order, **saved)
    return revision + 1
