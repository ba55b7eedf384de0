"""The tally of confirmed sales: kept with every confirmation and cancellation, counted anew where
it is not right.
"""

import logging
import time
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db import connection, transaction
from django.db.models import Count, Min, Model, Sum
from django.utils import timezone

from apps.common.days import midnight, seller_month
from apps.common.money import ZERO
from apps.orders.models import Order, OrderEvent, SalesDay, SalesTally
from apps.orders.status import OrderStatus

logger = logging.getLogger("portal.ops.sweeps")

SECONDS = 20  # of a run; the month that is being counted then is finished

# What each grain tells apart: product, brand and company of a line, or 0 for all of a kind.
KEYS = {
    SalesTally.Grain.COMPANY: ("0", "0", "o.company_id"),
    SalesTally.Grain.BRAND: ("0", "p.brand_id", "o.company_id"),
    SalesTally.Grain.BRAND_ALONE: ("0", "p.brand_id", "0"),
    SalesTally.Grain.PRODUCT: ("l.product_id", "0", "0"),
    SalesTally.Grain.PRODUCT_COMPANY: ("l.product_id", "0", "o.company_id"),
}
# Rows are locked in one order by everybody who counts, as the keys sort.
COUNT = """
INSERT INTO orders_salestally (grain, product_id, month, brand_id, company_id, orders, pieces, total)
SELECT * FROM ({parts}) AS counted WHERE TRUE ORDER BY 1, 2, 3, 4, 5
ON CONFLICT (grain, product_id, month, brand_id, company_id) DO UPDATE
SET orders = orders_salestally.orders + excluded.orders, pieces = orders_salestally.pieces + excluded.pieces,
 total = orders_salestally.total + excluded.total
"""
PART = """
SELECT {grain}, {product} AS product_id, {{month}} AS month, {brand} AS brand_id, {company} AS company_id,
 {{sign}} * COUNT(DISTINCT o.id), {{sign}} * SUM(l.quantity), {{sign}} * SUM(l.price * l.quantity)
FROM {{orders}} JOIN orders_orderline l ON l.order_id = o.id AND l.is_confirmed
 JOIN catalog_product p ON p.id = l.product_id
GROUP BY {groups}
"""
DAY = """
INSERT INTO orders_salesday (day, product_id, brand_id, company_id, pieces, total)
SELECT {day}, l.product_id, MIN(p.brand_id), o.company_id, {sign} * SUM(l.quantity), {sign} * SUM(l.price * l.quantity)
FROM {orders} JOIN orders_orderline l ON l.order_id = o.id AND l.is_confirmed
 JOIN catalog_product p ON p.id = l.product_id
GROUP BY l.product_id, o.company_id ORDER BY l.product_id, o.company_id
ON CONFLICT (day, product_id, company_id) DO UPDATE
SET pieces = orders_salesday.pieces + excluded.pieces, total = orders_salesday.total + excluded.total
"""
ONE_ORDER = "(SELECT id, company_id FROM orders_order WHERE id = %s) o"
CONFIRMED_BETWEEN = """(SELECT o.id, o.company_id FROM orders_orderevent e JOIN orders_order o ON o.id = e.order_id
 WHERE e.kind = 'status' AND e.to_status = 3 AND e.at >= %s AND e.at < %s AND o.status <> 0) o"""


def _parts() -> list[str]:
    found = []
    for grain, (product, brand, company) in KEYS.items():
        groups = ", ".join(key for key in (product, brand, company) if key != "0")
        found.append(
            PART.format(
                grain=int(grain), product=product, brand=brand, company=company, groups=groups
            )
        )
    return found


PARTS = _parts()


def count_sale(order: Order, *, now: datetime) -> None:
    """Count an order that has just been confirmed. Two statements."""
    _count(order, at=now, sign="1")


def uncount_sale(order: Order) -> None:
    """Take an order that was confirmed, and is cancelled, out of the day and month in which it was
    confirmed.
    """
    confirmed_at = (
        OrderEvent.objects.filter(
            order=order, kind=OrderEvent.Kind.STATUS, to_status=OrderStatus.CONFIRMED
        )
        .values_list("at", flat=True)
        .first()
    )
    if confirmed_at is not None:
        _count(order, at=confirmed_at, sign="-1")


def _count(order: Order, *, at: datetime, sign: str) -> None:
    parts = " UNION ALL ".join(PARTS).format(
        month=f"'{seller_month(at)}'", sign=sign, orders=ONE_ORDER
    )
    with connection.cursor() as cursor:
        cursor.execute(COUNT.format(parts=parts), [order.pk] * len(KEYS))
        cursor.execute(
            DAY.format(day=_literal(timezone.localdate(at)), sign=sign, orders=ONE_ORDER),
            [order.pk],
        )


def _literal(day: date) -> str:
    return f"CAST('{day}' AS date)" if connection.vendor == "postgresql" else f"'{day}'"


def recount_sales(now: datetime) -> int:
    """Count months anew whose tally is not what their orders say; return how many were mended.

    So orders of before the tally are counted, and what an older release confirmed meanwhile. A run
    ends after the month with which its time is over; whoever calls it comes again while something
    was mended.
    """
    confirmed = OrderEvent.objects.filter(
        kind=OrderEvent.Kind.STATUS, to_status=OrderStatus.CONFIRMED
    )
    first = confirmed.aggregate(first=Min("at"))["first"]
    counted, until = 0, time.monotonic() + SECONDS
    for month in _months(first, now) if first is not None else ():
        if _is_right(month):
            continue
        _recount(month)
        if not _is_right(month):  # coming again would not mend it either
            logger.error(
                "the sales of %s are not what their orders say, though counted anew", month.name
            )
            continue
        counted += 1
        if time.monotonic() > until:
            break
    return counted


@dataclass(frozen=True)
class _Month:
    """A month of the seller."""

    first: date
    after: date

    @property
    def name(self) -> str:
        return f"{self.first:%Y-%m}"

    @property
    def days(self) -> list[date]:
        return [
            self.first + timedelta(days=number) for number in range((self.after - self.first).days)
        ]


def _months(first: datetime, last: datetime) -> Iterator[_Month]:
    """Yield the seller's months from one moment to another."""
    start, end = timezone.localtime(first), timezone.localtime(last)
    for serial in range(start.year * 12 + start.month - 1, end.year * 12 + end.month):
        yield _Month(
            date(serial // 12, serial % 12 + 1, 1),
            date((serial + 1) // 12, (serial + 1) % 12 + 1, 1),
        )


def _recount(month: _Month) -> None:
    """Count a month anew, in parts that each hold up confirmations for a moment only."""
    for grain, part in zip(KEYS, PARTS, strict=True):
        _recount_grain(month, grain, part)
    for day in month.days:
        _recount_day(day)


@transaction.atomic
def _recount_grain(month: _Month, grain: SalesTally.Grain, part: str) -> None:
    with connection.cursor() as cursor:
        _lock(cursor, SalesTally)
        SalesTally.objects.filter(grain=grain, month=month.name).delete()
        counted = part.format(month=f"'{month.name}'", sign="1", orders=CONFIRMED_BETWEEN)
        cursor.execute(COUNT.format(parts=counted), _bounds(month.first, month.after))


@transaction.atomic
def _recount_day(day: date) -> None:
    with connection.cursor() as cursor:
        _lock(cursor, SalesDay)
        SalesDay.objects.filter(day=day).delete()
        counted = DAY.format(day=_literal(day), sign="1", orders=CONFIRMED_BETWEEN)
        cursor.execute(counted, _bounds(day, day + timedelta(days=1)))


def _lock(cursor: Any, model: type[Model]) -> None:
    """Wait for a confirmation under way, and let the next one wait. SQLite has one writer at a time
    anyway.
    """
    if connection.vendor == "postgresql":
        cursor.execute(f"LOCK TABLE {model._meta.db_table} IN SHARE ROW EXCLUSIVE MODE")


def _bounds(since: date, until: date) -> list[Any]:
    return [connection.ops.adapt_datetimefield_value(midnight(day)) for day in (since, until)]


def _is_right(month: _Month) -> bool:
    orders = Order.objects.filter(
        events__kind=OrderEvent.Kind.STATUS,
        events__to_status=OrderStatus.CONFIRMED,
        events__at__gte=midnight(month.first),
        events__at__lt=midnight(month.after),
    ).exclude(status=OrderStatus.CANCELLED)
    # An order of which nothing was confirmed has no lines to count.
    truth = (
        orders.filter(real_total__gt=ZERO)
        .order_by()
        .aggregate(orders=Count("pk"), total=Sum("real_total"))
    )
    tally = SalesTally.objects.filter(month=month.name)
    companies: dict[str, Any] = tally.filter(grain=SalesTally.Grain.COMPANY).aggregate(
        orders=Sum("orders"), total=Sum("total")
    )
    sums = [
        companies["total"],
        tally.filter(grain=SalesTally.Grain.BRAND_ALONE).aggregate(total=Sum("total"))["total"],
        SalesDay.objects.filter(day__gte=month.first, day__lt=month.after).aggregate(
            total=Sum("total")
        )["total"],
    ]
    total = truth["total"] or ZERO
    return truth["orders"] == (companies["orders"] or 0) and all(
        (one or ZERO) == total for one in sums
    )
