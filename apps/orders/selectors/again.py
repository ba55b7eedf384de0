"""What a company ordered, to order it again: an order, a line of it, a month, or what it usually
orders by now.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from decimal import Decimal
from typing import Any, NamedTuple

from django.db import connection

from apps.accounts.selectors import Buyer
from apps.catalog.selectors import FormerLine, fitted
from apps.common.db.rows import fetch_all
from apps.common.errors import NotFound
from apps.common.types import Json
from apps.orders.status import OrderStatus

S = OrderStatus
ORDERED = """SELECT l.sku, p.eng_name, SUM(l.quantity), l.price, MAX(o.id)
FROM orders_order o JOIN orders_orderline l ON l.order_id = o.id AND l.is_ordered
JOIN catalog_product p ON p.id = l.product_id
WHERE {where} GROUP BY l.sku, p.eng_name, l.price ORDER BY MIN(l.id)"""
IN_ORDER = "o.company_id = %s AND o.invoice_code = %s"
IN_MONTH = f"o.company_id = %s AND o.month = %s AND o.status <> {S.CANCELLED:d}"


class OrderedRow(NamedTuple):
    """Pieces of a product that were ordered at one price, last in the order `newest`."""

    sku: str
    eng_name: str
    quantity: int
    price: Decimal
    newest: int


def order_again(
    *, buyer: Buyer, invoice_code: str = "", month: str = "", sku: str = "", now: datetime
) -> list[Json]:
    """Return what was ordered in one order, or in a month's orders that were not cancelled, as it
    can be ordered now.

    With a `sku`, that line alone. A product in several orders is added up; its price is that of the
    last. Two statements.

    Raises:
        NotFound: no order of the company, or nothing in it that is meant.
    """
    where, value = (IN_ORDER, invoice_code) if invoice_code else (IN_MONTH, month)
    values: list[Any] = [buyer.company_id, value]
    if sku:
        where, values = f"{where} AND l.sku = %s", [*values, sku]
    rows = fetch_all(OrderedRow, ORDERED.format(where=where), values)
    if not rows:
        raise NotFound
    return fitted(buyer=buyer, lines=_added_up(rows), now=now)


def _added_up(rows: Sequence[OrderedRow]) -> list[FormerLine]:
    of_sku: dict[str, list[OrderedRow]] = {}
    for row in rows:
        of_sku.setdefault(row.sku, []).append(row)
    return [
        FormerLine(
            sku=sku,
            eng_name=parts[0].eng_name,
            pieces=sum(part.quantity for part in parts),
            price=max(parts, key=lambda part: part.newest).price,
        )
        for sku, parts in of_sku.items()
    ]


ORDERS_READ = 100
DAYS_READ = 365
OFTEN = 3  # orders that make a habit
SHOWN = 4
LOOKED_AT = 20
# So much longer than usual is long: a quarter.
PATIENCE = 1.25
HABITS = f"""SELECT l.sku, COUNT(DISTINCT o.id), MIN(o.placed_at), MAX(o.placed_at), MAX(o.id)
FROM (SELECT id, placed_at FROM orders_order WHERE company_id = %s AND status <> {S.CANCELLED:d} AND placed_at >= %s
 ORDER BY id DESC LIMIT {ORDERS_READ}) o
JOIN orders_orderline l ON l.order_id = o.id AND l.is_ordered
GROUP BY l.sku HAVING COUNT(DISTINCT o.id) >= {OFTEN}"""  # noqa: S608 - constants only


class Habit(NamedTuple):
    """How often a product was ordered, first, last, and in which order it was last."""

    sku: str
    times: int
    first: datetime
    last: datetime
    order_id: int

    @property
    def usual(self) -> timedelta:
        """Return the time that usually lies between two orders of the product."""
        return (self.last - self.first) / (self.times - 1)

    def pace(self, now: datetime) -> Json:
        """Return in days how often the product is ordered and how long ago it was."""
        return {
            "every_days": max(1, round(self.usual / timedelta(days=1))),
            "days_ago": (now - self.last).days,
        }

    def is_late(self, now: datetime) -> bool:
        """Whether it was not ordered for longer than usual, by the days that are told of it too."""
        pace = self.pace(now)
        return now - self.last > self.usual * PATIENCE and pace["days_ago"] > pace["every_days"]


def not_ordered_for_long(*, buyer: Buyer, now: datetime) -> list[Json]:
    """Return the regular products that were not ordered for longer than usual and can be ordered
    now, at most four.

    Regular is what the last 100 orders of a year have at least three times. The longest overdue
    comes first; its pieces are those of its last order. Three statements.
    """
    habits = fetch_all(
        Habit,
        HABITS,
        [
            buyer.company_id,
            connection.ops.adapt_datetimefield_value(now - timedelta(days=DAYS_READ)),
        ],
    )
    late = {habit.sku: habit for habit in habits if habit.usual and habit.is_late(now)}
    longest = sorted(
        late.values(), key=lambda habit: (now - habit.last) / habit.usual, reverse=True
    )[:LOOKED_AT]
    lines = _last_lines(longest)
    found = [line for line in fitted(buyer=buyer, lines=lines, now=now) if line["count"]]
    return [{**line, **late[line["sku"]].pace(now)} for line in found[:SHOWN]]


def _last_lines(habits: Sequence[Habit]) -> list[FormerLine]:
    """Return the lines of these products in the orders that had them last, in the order given."""
    if not habits:
        return []
    places = ", ".join(["(%s, %s)"] * len(habits))
    where = f"(o.id, l.sku) IN (VALUES {places})"
    rows = fetch_all(
        OrderedRow,
        ORDERED.format(where=where),
        [value for habit in habits for value in (habit.order_id, habit.sku)],
    )
    lines = {line.sku: line for line in _added_up(rows)}
    return [lines[habit.sku] for habit in habits if habit.sku in lines]
