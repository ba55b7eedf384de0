"""The running figures: a company's orders by status and month, confirmed sales by day. Whoever
moves an order counts it here.
"""

from collections.abc import Mapping
from datetime import date, datetime, timedelta
from decimal import Decimal

from django.db import transaction
from django.db.models import Q, Sum
from django.db.models.functions import TruncDate

from apps.common.days import midnight
from apps.common.db.dialect import lock_table
from apps.common.db.rows import add_up
from apps.common.money import ZERO, usd
from apps.orders.models import (
    Order,
    OrderEvent,
    OrderLine,
    OrderTally,
    SalesTally,
    month_bucket,
    status_bucket,
)
from apps.orders.status import OrderStatus


def count_order(order: Order, changes: Mapping[str, int]) -> None:
    """Add to the sums of a company, by the bucket that an order enters (1) or leaves (-1)."""
    tallies = [
        OrderTally(company_id=order.company_id, bucket=bucket, count=sign, total=sign * order.total)
        for bucket, sign in changes.items()
    ]
    add_up(tallies, by=["company_id", "bucket"], sums=["count", "total"])


def forget_status(order: Order) -> None:
    """Take an open order that is about to be deleted out of the tallies."""
    count_order(order, {status_bucket(order.status): -1, month_bucket(order.month): -1})
    OrderTally.objects.filter(company_id=order.company_id, count=0).delete()


def count_sale(order: Order, *, sign: int = 1) -> None:
    """Count an order that has just been confirmed; with the sign -1, take one that is cancelled out
    of the day of its confirmation. Two statements.
    """
    count_sales(Q(order=order), sign=sign)


def count_sales(orders: Q, *, sign: int = 1) -> None:
    """Count the confirmed orders that a condition on lines finds."""
    lines = OrderLine.objects.filter(
        orders,
        is_confirmed=True,
        order__events__kind=OrderEvent.Kind.STATUS,
        order__events__to_status=OrderStatus.CONFIRMED,
    ).annotate(day=TruncDate("order__events__at"))
    sales: dict[tuple[date, int, int], SalesTally] = {}
    counted: set[int] = set()
    for day, product, company, order, pieces, price in lines.order_by("order", "id").values_list(
        "day", "product", "order__company", "order", "quantity", "price"
    ):
        sale = sales.setdefault(
            (day, product, company), SalesTally(day=day, product_id=product, company_id=company)
        )
        sale.orders += 0 if order in counted else sign  # at its first line
        sale.pieces += sign * pieces
        sale.total += sign * pieces * price
        counted.add(order)
    add_up(
        sales.values(), by=["day", "product_id", "company_id"], sums=["orders", "pieces", "total"]
    )


def recount_sales(now: datetime) -> int:
    """Count days anew whose tally is not what their orders say; return how many they were.

    So orders of before the tally are counted.
    """
    steps = OrderEvent.objects.filter(
        kind=OrderEvent.Kind.STATUS, to_status=OrderStatus.CONFIRMED
    ).exclude(order__status=OrderStatus.CANCELLED)
    days = steps.annotate(day=TruncDate("at")).order_by().values_list("day")
    orders: dict[date, Decimal] = dict(days.annotate(total=Sum("order__real_total")))
    tallies = SalesTally.objects.order_by().values_list("day")
    counted: dict[date, Decimal] = dict(tallies.annotate(sum=Sum("total")))
    wrong = sorted(
        day
        for day in orders.keys() | counted
        if usd(orders.get(day, ZERO)) != usd(counted.get(day, ZERO))
    )
    for day in wrong:
        with transaction.atomic():  # a confirmation under way is waited for, the next one waits
            lock_table(SalesTally)
            SalesTally.objects.filter(day=day).delete()
            until = midnight(day + timedelta(days=1))
            of_day = Q(order__events__at__gte=midnight(day), order__events__at__lt=until)
            count_sales(of_day & ~Q(order__status=OrderStatus.CANCELLED))
    return len(wrong)
