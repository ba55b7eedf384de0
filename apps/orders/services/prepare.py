"""Staff start preparing an order."""

from datetime import datetime

from apps.accounts.models import User
from apps.common.db.transactions import one_transaction
from apps.common.permissions import needs
from apps.orders.models import Order
from apps.orders.selectors import get_order_for_staff
from apps.orders.services.allocation import allocate_released_stock
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
    order = get_order_for_staff(order_id=order_id, lock=True)
    check_move(OrderStatus(order.status), OrderStatus.PREPARING)
    allocate_released_stock(order)
    move_order(order=order, target=OrderStatus.PREPARING, actor=actor, now=now)
    return order
