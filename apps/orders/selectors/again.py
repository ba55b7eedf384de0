"""What a company ordered, to order it again: an order, a line of it, a month, or what it usually
orders by now.
"""

from datetime import datetime, timedelta
from typing import Any, NamedTuple

from django.db.models import Count, Max, Min, Q, QuerySet, Sum

from apps.accounts.selectors import Buyer
from apps.catalog.selectors import FormerLine, as_orderable
from apps.common.errors import NotFound
from apps.common.types import Json
from apps.orders.models import Order, OrderLine
from apps.orders.status import OrderStatus

S = OrderStatus


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
    lines = OrderLine.objects.filter(order__company_id=buyer.company_id)
    if invoice_code:
        lines = lines.filter(order__invoice_code=invoice_code)
    else:
        lines = lines.filter(order__month=month).exclude(order__status=S.CANCELLED)
    former = _former_lines(lines.filter(sku=sku) if sku else lines)
    if not former:
        raise NotFound
    return as_orderable(buyer=buyer, lines=former, now=now)


def _former_lines(lines: QuerySet[OrderLine]) -> list[FormerLine]:
    """Return what was ordered of each product, as it was ordered first; its price is that of the
    last order.
    """
    sums = lines.filter(is_ordered=True).order_by().values("sku", "product__eng_name", "price")
    sums = sums.annotate(pieces=Sum("quantity"), newest=Max("order"), first=Min("pk"))
    of_sku: dict[str, list[Any]] = {}
    for row in sums.order_by("first"):
        of_sku.setdefault(row["sku"], []).append(row)
    return [
        FormerLine(
            sku=sku,
            eng_name=parts[0]["product__eng_name"],
            pieces=sum(part["pieces"] for part in parts),
            price=max(parts, key=lambda part: part["newest"])["price"],
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


class Habit(NamedTuple):
    """How often a product was ordered, first, last, and in which order it was last."""

    sku: str
    times: int
    first: datetime
    last: datetime
    newest: int

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
    orders = Order.objects.filter(
        company_id=buyer.company_id, placed_at__gte=now - timedelta(days=DAYS_READ)
    )
    newest = orders.exclude(status=S.CANCELLED).order_by("-id").values("pk")[:ORDERS_READ]
    ordered = OrderLine.objects.filter(is_ordered=True, order__in=newest).order_by().values("sku")
    sums = ordered.annotate(
        times=Count("order", distinct=True),
        first=Min("order__placed_at"),
        last=Max("order__placed_at"),
        newest=Max("order"),
    )
    habits = [Habit(**row) for row in sums.filter(times__gte=OFTEN)]
    late = {habit.sku: habit for habit in habits if habit.usual and habit.is_late(now)}
    longest = sorted(
        late.values(), key=lambda habit: (now - habit.last) / habit.usual, reverse=True
    )[:LOOKED_AT]
    last = Q()
    for habit in longest:
        last |= Q(order=habit.newest, sku=habit.sku)
    former = _former_lines(OrderLine.objects.filter(last)) if longest else []
    newest_lines = {line.sku: line for line in former}
    lines = [newest_lines[habit.sku] for habit in longest if habit.sku in newest_lines]
    some = [line for line in as_orderable(buyer=buyer, lines=lines, now=now) if line["count"]]
    return [{**line, **late[line["sku"]].pace(now)} for line in some[:SHOWN]]
