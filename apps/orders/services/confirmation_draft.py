"""The confirmation sheet of a preparing order, kept while it is filled in: one for all staff."""

from datetime import datetime

from apps.accounts.models import User
from apps.common.db.transactions import one_transaction
from apps.common.permissions import needs
from apps.orders.models import ConfirmationDraft, DraftSheet
from apps.orders.selectors import get_order_for_staff
from apps.orders.services.stale import check_draft
from apps.orders.status import OrderStatus, check_move


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
    order = get_order_for_staff(order_id=order_id, lock=True)
    check_move(OrderStatus(order.status), OrderStatus.CONFIRMED)
    check_draft(order, revision=revision)
    ConfirmationDraft.objects.filter(order=order).delete()
    if sheet is None:
        return 0
    saved = {"revision": revision + 1, "sheet": sheet, "saved_by": actor, "saved_at": now}
    ConfirmationDraft.objects.create(order=order, **saved)
    return revision + 1
