"""Confirmed sales over a range of days, by any of month, brand, product, country and company."""

from calendar import monthrange
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Any

from django.db.models import QuerySet, Sum

from apps.common.days import midnight
from apps.common.money import ZERO, usd
from apps.orders.models import Order, OrderEvent, OrderLine, SalesTally
from apps.orders.status import OrderStatus


class Dimension(StrEnum):
    """What sales are told apart by."""

    MONTH = "month"
    BRAND = "brand"
    PRODUCT = "product"
    COUNTRY = "country"
    COMPANY = "company"


class Figure(StrEnum):
    """What is counted of them: US dollars of confirmed lines, pieces, orders."""

    TOTAL = "total"
    PIECES = "pieces"
    ORDERS = "orders"


D = Dimension
OF_TALLY = {
    D.MONTH: "day",
    D.BRAND: "product__brand_id",
    D.PRODUCT: "product_id",
    D.COUNTRY: "company__country_id",
    D.COMPANY: "company_id",
}
OF_ONE_LINE = (D.BRAND, D.PRODUCT)
Key = tuple[Any, ...]


@dataclass(frozen=True)
class Days:
    """Days of the seller, both included."""

    since: date
    until: date

    @property
    def length(self) -> int:
        """Return how many days they are."""
        return (self.until - self.since).days + 1

    def year_before(self) -> "Days":
        """Return the same days of the year before; the last of February stays the last."""
        return Days(_year_before(self.since), _year_before(self.until))

    def months(self) -> list[str]:
        """Return the months that these days touch: `2026-11`."""
        first, last = (day.year * 12 + day.month - 1 for day in (self.since, self.until))
        return [f"{serial // 12}-{serial % 12 + 1:02d}" for serial in range(first, last + 1)]

    def within(self, month: str) -> "Days":
        """Return those of these days that lie in a month that they touch."""
        first = date.fromisoformat(f"{month}-01")
        last = first.replace(day=monthrange(first.year, first.month)[1])
        return Days(max(self.since, first), min(self.until, last))


def _year_before(day: date) -> date:
    return day.replace(year=day.year - 1, day=min(day.day, monthrange(day.year - 1, day.month)[1]))


def sales(
    by: Sequence[Dimension],
    *,
    days: Days,
    figure: Figure,
    only: Mapping[Dimension, Sequence[Any]] | None = None,
) -> dict[Key, Decimal]:
    """Return what was confirmed in these days by each key of `by`, of some keys `only` where they
    are named. One statement.

    A product's brand is the one of today. Orders are told apart by month, country and company only.
    """
    rows = _tallied(days).filter(
        **{f"{OF_TALLY[key]}__in": ids for key, ids in (only or {}).items()}
    )
    value = Sum(figure.value)
    month = by.index(D.MONTH) if D.MONTH in by else None
    sums: dict[Key, Decimal] = {}
    groups: Iterable[Any]
    if by:  # a day is cheaper to group by than its month
        groups = rows.values_list(*(OF_TALLY[key] for key in by)).annotate(sum=value)
    else:
        groups = [(rows.aggregate(sum=value)["sum"] or 0,)]
    for *names, sum_ in groups:
        if month is not None:
            names[month] = f"{names[month]:%Y-%m}"
        sums[tuple(names)] = sums.get(tuple(names), ZERO) + sum_
    return {
        key: usd(value) if figure is Figure.TOTAL else value for key, value in sums.items() if value
    }


def sold_of_product(product_id: int, *, days: Days) -> tuple[int, Decimal]:
    """Return how many pieces of a product were confirmed in these days, and for how much.

    One statement.
    """
    rows = _tallied(days).filter(product_id=product_id)
    sums = rows.aggregate(pieces=Sum("pieces"), usd=Sum("total"))
    return sums["pieces"] or 0, usd(sums["usd"] or ZERO)


def products_sold(days: Days) -> QuerySet[Any]:
    """Return the numbers of the products that were sold in these days."""
    return _tallied(days).values("product")


def _tallied(days: Days) -> QuerySet[SalesTally]:
    return SalesTally.objects.filter(day__gte=days.since, day__lte=days.until).order_by()


def sold(orders: QuerySet[Order], *, days: Days, only: Mapping[Dimension, Any]) -> QuerySet[Order]:
    """Return those orders that stand behind a figure: confirmed in these days, of one country,
    company, brand, product.

    What was cancelled, and orders of which nothing was confirmed, are in no figure.
    """
    of_order = {OF_TALLY[key]: one for key, one in only.items() if key not in OF_ONE_LINE}
    steps = OrderEvent.objects.filter(
        kind=OrderEvent.Kind.STATUS,
        to_status=OrderStatus.CONFIRMED,
        at__gte=midnight(days.since),
        at__lt=midnight(days.until + timedelta(days=1)),
    ).exclude(order__status=OrderStatus.CANCELLED)
    confirmed = steps.order_by().values("order_id")
    sums = orders.filter(pk__in=confirmed, real_total__gt=0, **of_order)
    if of_line := {OF_TALLY[key]: one for key, one in only.items() if key in OF_ONE_LINE}:
        sums = sums.filter(
            pk__in=OrderLine.objects.filter(is_confirmed=True, **of_line).values("order")
        )
    return sums
