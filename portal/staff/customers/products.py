"""What a customer buys: most of, and what it has not bought for longer than it used to."""

from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from statistics import median
from typing import Any

from django.db.models import Count, Max, Sum
from django.utils import timezone

from apps.accounts.models import Company
from apps.orders.models import OrderLine
from apps.orders.status import OrderStatus

SHOWN = 5
YEAR, RHYTHM = timedelta(days=365), timedelta(days=730)
LEAST_ORDERS = 3
MOST_LINES = 20_000


@dataclass(frozen=True)
class Quiet:
    """A product that a customer has not bought for longer than twice its own median gap."""

    product_id: int
    name: str
    sku: str
    last: datetime
    weeks: int
    every: int
    pieces: int


def _ordered(company: Company, *, since: datetime) -> Any:
    lines = OrderLine.objects.filter(
        order__company=company, order__placed_at__gte=since, is_ordered=True
    )
    return lines.exclude(order__status=OrderStatus.CANCELLED)


def buys_most(company: Company, *, now: datetime) -> list[dict[str, Any]]:
    """Return the products of which a company ordered most pieces in twelve months. One
    statement.
    """
    rows = (
        _ordered(company, since=now - YEAR)
        .order_by()
        .values("product_id", "product__eng_name", "product__sku")
    )
    found = rows.annotate(
        pieces=Sum("quantity"), orders=Count("order", distinct=True), last=Max("order__placed_at")
    )
    return list(found.order_by("-pieces", "product_id")[:SHOWN])


def not_bought_for_long(company: Company, *, now: datetime) -> list[Quiet]:
    """Return the products that a company bought at least three times, and now not for twice its
    median gap.
    """
    columns = ("product_id", "product__eng_name", "product__sku", "order__placed_at", "quantity")
    lines = _ordered(company, since=now - RHYTHM).order_by("-id").values_list(*columns)[:MOST_LINES]
    bought: dict[tuple[int, str, str], dict[datetime, int]] = {}
    for product, name, sku, at, pieces in lines:
        times = bought.setdefault((product, name, sku), {})
        times[at] = times.get(at, 0) + pieces
    found = []
    for key, times in bought.items():
        days = sorted({timezone.localtime(at).date() for at in times})
        if len(days) < LEAST_ORDERS:
            continue
        gap = median((later - earlier).days for earlier, later in pairwise(days))
        since = (timezone.localtime(now).date() - days[-1]).days
        if since > 2 * gap and since >= 7:
            every, pieces = max(1, round(gap / 7)), round(median(times.values()))
            found.append(Quiet(*key, max(times), since // 7, every, pieces))
    return sorted(found, key=lambda one: -one.weeks)[:SHOWN]
