"""The tally of confirmed sales: kept with every confirmation and cancellation, counted anew where
it is not right.
"""

import logging
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Sum
from django.db.models.functions import TruncDate

from apps.common.days import midnight
from apps.common.money import ZERO, usd
from apps.orders.models import Order, OrderEvent, SalesTally
from apps.orders.status import OrderStatus

logger = logging.getLogger("portal.ops.sweeps")

DAYS_AT_ONCE = 30  # of a run

# Rows are locked in one order by everybody who counts, as the keys sort.
COUNT = """
INSERT INTO orders_salestally (day, product_id, company_id, orders, pieces, total)
WITH sold AS (
 SELECT {day} AS day, l.product_id, o.company_id, l.quantity, l.price,
  ROW_NUMBER() OVER (PARTITION BY o.id ORDER BY l.id) AS place
 FROM orders_orderevent e JOIN orders_order o ON o.id = e.order_id
  JOIN orders_orderline l ON l.order_id = o.id AND l.is_confirmed
 WHERE e.kind = 'status' AND e.to_status = 3 AND {which})
SELECT day, product_id, company_id, {sign} * SUM(CASE WHEN place = 1 THEN 1 ELSE 0 END),
 {sign} * SUM(quantity), {sign} * SUM(price * quantity)
FROM sold GROUP BY day, product_id, company_id ORDER BY day, product_id, company_id
ON CONFLICT (day, product_id, company_id) DO UPDATE
SET orders = orders_salestally.orders + excluded.orders,
 pieces = orders_salestally.pieces + excluded.pieces,
 total = orders_salestally.total + excluded.total
"""


def count_sale(order: Order) -> None:
    """Count an order that has just been confirmed. One statement."""
    count_sales("o.id = %s", [order.pk])


def uncount_sale(order: Order) -> None:
    """Take an order that was confirmed, and is cancelled, out of the day of its confirmation. One
    statement.
    """
    count_sales("o.id = %s", [order.pk], sign=-1)


def count_sales(which: str, values: list[Any], *, sign: int = 1) -> None:
    """Count the confirmed orders `o` of this condition."""
    day, zone = connection.ops.datetime_cast_date_sql("e.at", (), settings.TIME_ZONE)
    with connection.cursor() as cursor:
        cursor.execute(COUNT.format(day=day, which=which, sign=sign), [*zone, *values])


def recount_sales(now: datetime) -> int:
    """Count days anew whose tally is not what their orders say; return how many were mended, at
    most 30 at once.

    So orders of before the tally are counted.
    """
    wrong = _wrong_days()[:DAYS_AT_ONCE]
    for day in wrong:
        with transaction.atomic():  # a confirmation under way is waited for, the next one waits
            if connection.vendor == "postgresql":
                with connection.cursor() as cursor:
                    cursor.execute("LOCK TABLE orders_salestally IN SHARE ROW EXCLUSIVE MODE")
            SalesTally.objects.filter(day=day).delete()
            bounds = map(midnight, (day, day + timedelta(days=1)))
            values = list(map(connection.ops.adapt_datetimefield_value, bounds))
            count_sales("e.at >= %s AND e.at < %s AND o.status <> 0", values)
    if not wrong:
        return 0
    still = sorted({*wrong}.intersection(_wrong_days()))
    for day in still:  # coming again would not mend it either
        logger.error("the sales of %s are not what their orders say, though counted anew", day)
    return len(wrong) - len(still)


def _wrong_days() -> list[date]:
    steps = OrderEvent.objects.filter(
        kind=OrderEvent.Kind.STATUS, to_status=OrderStatus.CONFIRMED
    ).exclude(order__status=OrderStatus.CANCELLED)
    days = steps.annotate(day=TruncDate("at")).order_by().values_list("day")
    orders: dict[date, Decimal] = dict(days.annotate(total=Sum("order__real_total")))
    tallies = SalesTally.objects.order_by().values_list("day")
    counted: dict[date, Decimal] = dict(tallies.annotate(sum=Sum("total")))
    return sorted(
        day
        for day in orders.keys() | counted
        if usd(orders.get(day, ZERO)) != usd(counted.get(day, ZERO))
    )
