"""The list of a company's orders: one statement, a page at a time."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from django.db import connection
from django.utils import timezone

from apps.accounts.selectors import Buyer
from apps.common.db.rows import containing, fetch_all
from apps.common.errors import NotFound
from apps.common.types import Json
from apps.orders.selectors.progress import PaymentStatus, payment_json, payment_sql
from apps.orders.status import LABELS, OrderStatus

PAGE_SIZE = 50
MAX_WORDS = 10
# Ids are below it; it stands for "from the newest".
NEWEST = 2**62
P = PaymentStatus
# What a buyer asks for by how the payment stands: what waits for the buyer, for the seller, for nobody.
PAYMENTS = {
    "due": (P.DEPOSIT_DUE, P.WIRE_AWAITED, P.BALANCE_DUE, P.PARTLY_PAID),
    "review": (P.DEPOSIT_REVIEWED, P.BALANCE_REVIEWED),
    "paid": (P.DEPOSIT_RECEIVED, P.PAID, P.REFUNDED),
}


@dataclass(frozen=True)
class Wanted:
    """Which orders of a tab are wanted, and from which end. Days are the seller's, both included."""

    search: str = ""
    since: date | None = None
    until: date | None = None
    payment: str = ""
    sort: str = "newest"


EVERYTHING = Wanted()


class ListedOrder(NamedTuple):
    """An order as the list shows it. Amounts are US dollars."""

    id: int
    invoice_code: str
    status: int
    placed_on: str
    pieces: int
    real_total: Decimal
    shipping_fee: Decimal
    payment: str


NAMES = ", ".join(f"o.{name}" for name in ListedOrder._fields).replace("o.placed_on", "{day}")
NAMES = NAMES.replace("o.payment", payment_sql("o"))
PAGE = f"""SELECT {NAMES} FROM orders_order o
WHERE o.company_id = %s {{where}} ORDER BY o.id {{direction}} LIMIT {PAGE_SIZE + 1}"""  # noqa: S608 - constants only
# A word is looked for in the code, and in what is searched of each product: name, SKU, brand.
WORD = """AND (LOWER(o.invoice_code) LIKE %s ESCAPE '\\' OR EXISTS (SELECT 1 FROM orders_orderline l
 JOIN catalog_product p ON p.id = l.product_id
 WHERE l.order_id = o.id AND p.search_text LIKE %s ESCAPE '\\'))"""


def order_list(*, buyer: Buyer, status: OrderStatus | None, after: str = "", wanted: Wanted = EVERYTHING) -> Json:
    """Return a page of the company's orders, newest first, of one status or of all. One statement.

    `after` is the last page's `next`; anything else that is sent as `after` finds nothing.
    """
    conditions = [*_tab(status), *_conditions(wanted)]
    if after:
        from_id = int(after) if after.isascii() and after.isdigit() and len(after) < 19 else 0
        newest = wanted.sort == "newest"
        conditions.append(("AND o.id < %s" if newest else "AND o.id > %s", [from_id or (0 if newest else NEWEST)]))
    rows = _rows(buyer, conditions, direction="DESC" if wanted.sort == "newest" else "ASC")
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
    rows = _rows(buyer, [("AND o.invoice_code = %s", [invoice_code])], direction="DESC")
    if not rows:
        raise NotFound
    in_tab = [row for row in rows if status is None or row.status == status]
    return {"orderList": [_item(order) for order in in_tab], "has_next": False, "next": None}


Condition = tuple[str, Sequence[Any]]


def _rows(buyer: Buyer, conditions: Sequence[Condition], *, direction: str) -> list[ListedOrder]:
    # The database cuts and writes the day in the seller's time zone: moments cost more to make than to read.
    day, zone = connection.ops.datetime_cast_date_sql("o.placed_at", (), timezone.get_default_timezone_name())
    where = " ".join(sql for sql, _ in conditions)
    values = [*zone, buyer.company_id, *(value for _, values in conditions for value in values)]
    sql = PAGE.format(day=f"CAST({day} AS text)", where=where, direction=direction)
    return fetch_all(ListedOrder, sql, values)


def _tab(status: OrderStatus | None) -> list[Condition]:
    return [] if status is None else [("AND o.status = %s", [int(status)])]


def _conditions(wanted: Wanted) -> list[Condition]:
    found: list[Condition] = []
    found += [(WORD, [containing(word)] * 2) for word in wanted.search.lower().split()[:MAX_WORDS]]
    if wanted.since:
        found.append(("AND o.placed_at >= %s", [_midnight(wanted.since)]))
    if wanted.until:
        found.append(("AND o.placed_at < %s", [_midnight(wanted.until + timedelta(days=1))]))
    if payments := PAYMENTS.get(wanted.payment):
        places = ", ".join(["%s"] * len(payments))
        found.append((f"AND ({payment_sql('o')}) IN ({places})", [payment.value for payment in payments]))
    return found


def _midnight(day: date) -> Any:
    moment = datetime.combine(day, time(), timezone.get_default_timezone())
    return connection.ops.adapt_datetimefield_value(moment)


def _item(order: ListedOrder) -> Json:
    return {
        "order_id": order.id,
        "invoice_code": order.invoice_code,
        "message": LABELS[OrderStatus(order.status)],
        "status_id": order.status,
        "build_date": order.placed_on,
        "amount": order.real_total + order.shipping_fee,
        "pieces": order.pieces,
        **payment_json(order.payment),
    }
