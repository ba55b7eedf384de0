"""The packing list as a file: made from the packing as it is at the click, and kept nowhere."""

from datetime import datetime

from apps.common.db.transactions import one_transaction
from apps.common.errors import NotFound
from apps.common.storage.files import PDF
from apps.common.texts import in_english
from apps.orders.documents.content import Content
from apps.orders.documents.packing_list import packing_list
from apps.orders.documents.rendering import render
from apps.orders.models import Order
from apps.orders.selectors import get_order_for_staff, packing_of


@in_english()
def packing_list_pdf(*, order_id: int, now: datetime) -> bytes:
    """Return the packing list of a packed order as a PDF file. Never inside a transaction.

    Raises:
        NotFound: there is no such order, or its packing is not complete (any more).
    """
    return render(_content(order_id=order_id), content_type=PDF.content_type, issued_at=now)


def packing_list_title(order: Order) -> str:
    """Return the name under which the file is downloaded."""
    return f"Packing_List_{order.invoice_code}.{PDF.extension}"


@one_transaction
def _content(*, order_id: int) -> Content:
    """Return what it says, of the locked order: nobody changes its packing while it is read."""
    order = get_order_for_staff(order_id=order_id, lock=True)
    if order.packing_status != Order.Packing.COMPLETE:
        raise NotFound
    return packing_list(order=order, packing=packing_of(order_id=order_id))
