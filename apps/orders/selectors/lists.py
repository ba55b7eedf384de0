"""The list of a company's orders: one statement, a page at a time."""

from decimal import Decimal
from typing import NamedTuple

from django.db import connection
from django.db.models import CharField
from django.db.models.functions import Cast, TruncDate
from django.utils import timezone

from apps.accounts.selectors import Buyer
from apps.common.db.rows import fetch_all
from apps.common.errors import NotFound
from apps.common.types import Json
from apps.orders.selectors.orders import due, orders_for
from apps.orders.selectors.progress import payment_json, payment_status
from apps.orders.status import LABELS, OrderStatus

PAGE_SIZE = 50
# Ids are below it; it stands for "from the newest".
NEWEST = 2**62
# The database cuts and writes the day in the seller's time zone: a page of moments costs more to make than to read.
PLACED_ON = Cast(TruncDate("placed_at", tzinfo=timezone.get_default_timezone()), CharField())


class ListedOrder(NamedTuple):
    """An order as the list shows it. Amounts are US dollars."""

    id: int
    invoice_code: str
    status: int
    placed_on: str
    pieces: int
    real_total: Decimal
    shipping_fee: Decimal
    deposit: Decimal
    deposit_received: Decimal
    received: Decimal
    credited: Decimal
    written_off: Decimal
    payment_pending: bool
    wire_announced: bool


COLUMNS = [PLACED_ON if name == "placed_on" else name for name in ListedOrder._fields]
NAMES = ", ".join(ListedOrder._fields).replace("placed_on", "{day}")
PAGE = f"""SELECT {NAMES} FROM orders_order
WHERE company_id = %s AND id < %s {{tab}} ORDER BY id DESC LIMIT {PAGE_SIZE + 1}"""  # noqa: S608 - constants only


def _item(order: ListedOrder) -> Json:
    status = OrderStatus(order.status)
    balance = due(
        status=status,
        real_total=order.real_total,
        shipping_fee=order.shipping_fee,
        received=order.received,
        written_off=order.written_off,
    )
    payment = payment_status(
        status=status,
        deposit=order.deposit,
        deposit_received=order.deposit_received,
        received=order.received,
        credited=order.credited,
        balance=balance,
        payment_pending=order.payment_pending,
        wire_announced=order.wire_announced,
    )
    return {
        "order_id": order.id,
        "invoice_code": order.invoice_code,
        "message": LABELS[status],
        "status_id": order.status,
        "build_date": order.placed_on,
        "amount": order.real_total + order.shipping_fee,
        "pieces": order.pieces,
        **payment_json(payment),
    }


def order_list(*, buyer: Buyer, status: OrderStatus | None, after: str = "") -> Json:
    """Return a page of the company's orders, newest first, of one status or of all. One statement.

    `after` is the last page's `next`; anything else that is sent as `after` finds nothing.
    """
    before = NEWEST
    if after:
        before = int(after) if after.isascii() and after.isdigit() and len(after) < 19 else 0
    day, zone = connection.ops.datetime_cast_date_sql("placed_at", (), timezone.get_default_timezone_name())
    tab = "" if status is None else "AND status = %s"
    values = (*zone, buyer.company_id, before, *([] if status is None else [int(status)]))
    rows = fetch_all(ListedOrder, PAGE.format(day=f"CAST({day} AS text)", tab=tab), values)
    page = rows[:PAGE_SIZE]
    has_next = len(rows) > PAGE_SIZE
    return {
        "orderList": [_item(order) for order in page],
        "has_next": has_next,
        "next": str(page[-1].id) if has_next else None,
    }


def order_in_list(*, buyer: Buyer, status: OrderStatus | None, invoice_code: str) -> Json:
    """Return one order as a list, empty when it is not in the tab. One statement.

    Raises:
        NotFound: unknown, or another company's.
    """
    found = orders_for(buyer).filter(invoice_code=invoice_code).values_list(*COLUMNS)
    rows = [ListedOrder(*row) for row in found]
    if not rows:
        raise NotFound
    in_tab = [row for row in rows if status is None or row.status == status]
    return {"orderList": [_item(order) for order in in_tab], "has_next": False, "next": None}
