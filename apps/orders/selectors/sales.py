"""Confirmed sales over a range of days, by any of month, brand, product, country and company."""

from calendar import monthrange
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal
from enum import StrEnum
from typing import Any

from django.db.models import Count, QuerySet, Sum
from django.utils import timezone

from apps.common.days import midnight
from apps.common.money import usd
from apps.orders.models import Order, OrderEvent, OrderLine, SalesDay, SalesTally
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


D, G = Dimension, SalesTally.Grain
OF_TALLY = {
    D.MONTH: "month",
    D.BRAND: "brand_id",
    D.PRODUCT: "product_id",
    D.COUNTRY: "company__country_id",
    D.COMPANY: "company_id",
}
OF_LINES = {
    D.BRAND: "product__brand_id",
    D.PRODUCT: "product_id",
    D.COUNTRY: "order__company__country_id",
    D.COMPANY: "order__company_id",
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
        bounds = _bounds(month)
        return Days(max(self.since, bounds.since), min(self.until, bounds.until))


def _year_before(day: date) -> date:
    return day.replace(year=day.year - 1, day=min(day.day, monthrange(day.year - 1, day.month)[1]))


@dataclass(frozen=True)
class _Part:
    """Days within one month that the tally of months lacks, or has too many (`sign` -1)."""

    month: str
    days: Days
    sign: int


def sales(
    by: Sequence[Dimension],
    *,
    days: Days,
    figure: Figure,
    only: Mapping[Dimension, Sequence[Any]] | None = None,
) -> dict[Key, Decimal]:
    """Return what was confirmed in these days by each key of `by`, of some keys `only` where they
    are named.

    Whole months come from the tally: one statement. A month that the days cut adds one for the part
    that is shorter, read from the tally by day. Orders are told apart by month, country and company
    only.
    """
    chosen = {dimension: list(keys) for dimension, keys in (only or {}).items()}
    months, parts = _split(days, today=timezone.localdate())
    found: dict[Key, Decimal] = {}
    for key, value in _of_tally(by, months, figure, chosen) if months else ():
        found[key] = Decimal(value)
    for part in parts:
        for key, value in _of_days(by, part, figure, chosen):
            found[key] = found.get(key, Decimal(0)) + part.sign * Decimal(value)
    return {
        key: usd(value) if figure is Figure.TOTAL else value
        for key, value in found.items()
        if value
    }


def sold_of_product(product_id: int, *, days: Days) -> tuple[int, Decimal]:
    """Return how many pieces of a product were confirmed in the months that these days touch, and
    for how much.

    One statement.
    """
    months = days.months()
    rows = SalesTally.objects.filter(
        grain=G.PRODUCT, product_id=product_id, month__gte=months[0], month__lte=months[-1]
    )
    found = rows.aggregate(pieces=Sum("pieces"), usd=Sum("total"))
    return found["pieces"] or 0, usd(found["usd"] or Decimal(0))


def sold(orders: QuerySet[Order], *, days: Days, only: Mapping[Dimension, Any]) -> QuerySet[Order]:
    """Return those orders that stand behind a figure: confirmed in these days, of one country,
    company, brand, product.

    What was cancelled, and orders of which nothing was confirmed, are in no figure.
    """
    of_order = {
        OF_LINES[key].removeprefix("order__"): one
        for key, one in only.items()
        if key not in OF_ONE_LINE
    }
    found = orders.filter(pk__in=_confirmed(days), real_total__gt=0, **of_order)
    if of_line := {OF_LINES[key]: one for key, one in only.items() if key in OF_ONE_LINE}:
        found = found.filter(
            pk__in=OrderLine.objects.filter(is_confirmed=True, **of_line).values("order")
        )
    return found


def _grain(by: Iterable[Dimension]) -> SalesTally.Grain:
    wanted = set(by)
    if D.PRODUCT in wanted:
        return G.PRODUCT_COMPANY if wanted & {D.COMPANY, D.COUNTRY} else G.PRODUCT
    if D.BRAND in wanted:
        return G.BRAND if wanted & {D.COMPANY, D.COUNTRY} else G.BRAND_ALONE
    return G.COMPANY


def _of_tally(
    by: Sequence[Dimension],
    months: Sequence[str],
    figure: Figure,
    only: Mapping[Dimension, list[Any]],
) -> Iterable[tuple[Key, Any]]:
    grain = _grain([*by, *only])
    names = _names(grain)
    rows = SalesTally.objects.filter(grain=grain, month__gte=months[0], month__lte=months[-1])
    if grain not in (G.PRODUCT, G.PRODUCT_COMPANY):
        rows = rows.filter(product_id=0)  # begins the index
    return _grouped(
        rows,
        [names[one] for one in by],
        {names[key]: ids for key, ids in only.items()},
        Sum(figure.value),
    )


def _names(grain: SalesTally.Grain) -> Mapping[Dimension, str]:
    """Return the columns: by product, its brand is the one of today; else that of the day of
    confirmation.
    """
    return (
        {**OF_TALLY, D.BRAND: "product__brand_id"}
        if grain in (G.PRODUCT, G.PRODUCT_COMPANY)
        else OF_TALLY
    )


def _of_days(
    by: Sequence[Dimension], part: _Part, figure: Figure, only: Mapping[Dimension, list[Any]]
) -> Iterable[tuple[Key, Any]]:
    if part.month not in only.get(D.MONTH, [part.month]):
        return
    rows: QuerySet[Any] = SalesDay.objects.filter(
        day__gte=part.days.since, day__lte=part.days.until
    )
    value: Any = Sum(figure.value)
    names = _names(_grain([*by, *only]))
    if figure is Figure.ORDERS:  # a day's rows are parts of orders
        rows, value = (
            Order.objects.filter(pk__in=_confirmed(part.days), real_total__gt=0),
            Count("pk"),
        )
    chosen = {names[key]: ids for key, ids in only.items() if key is not D.MONTH}
    for key, sold in _grouped(
        rows, [names[one] for one in by if one is not D.MONTH], chosen, value
    ):
        rest = iter(key)
        yield tuple(part.month if one is D.MONTH else next(rest) for one in by), sold


def _grouped(
    rows: QuerySet[Any], names: list[str], only: Mapping[str, list[Any]], figure: Any
) -> Iterable[tuple[Key, Any]]:
    rows = rows.filter(**{f"{name}__in": ids for name, ids in only.items()}).order_by()
    if not names:
        return [((), rows.aggregate(figure=figure)["figure"] or 0)]
    return [(tuple(row[:-1]), row[-1]) for row in rows.values_list(*names).annotate(figure=figure)]


def _confirmed(days: Days) -> QuerySet[Any]:
    """Return the numbers of the orders that were confirmed in these days and not
    cancelled since.
    """
    steps = OrderEvent.objects.filter(
        kind=OrderEvent.Kind.STATUS,
        to_status=OrderStatus.CONFIRMED,
        at__gte=midnight(days.since),
        at__lt=midnight(days.until + timedelta(days=1)),
    )
    return steps.exclude(order__status=OrderStatus.CANCELLED).order_by().values("order_id")


def _split(days: Days, *, today: date) -> tuple[list[str], list[_Part]]:
    """Return the months to take whole, and the parts of cut months to take beside them or away from
    them.
    """
    months = days.months()
    until = (
        days.until if days.until < today else _bounds(months[-1]).until
    )  # nothing is confirmed after today
    if len(months) == 1:
        return _single(months[0], Days(days.since, until))
    parts: list[_Part] = []
    whole = months[1:-1]
    for month, wanted in (
        (months[0], Days(days.since, _bounds(months[0]).until)),
        (months[-1], None),
    ):
        taken, more = _single(month, wanted or Days(_bounds(month).since, until))
        whole, parts = sorted([*whole, *taken]), [*parts, *more]
    return whole, parts


def _single(month: str, wanted: Days) -> tuple[list[str], list[_Part]]:
    """Return a month with what is too much of it, or the days that are wanted of it, whichever is
    shorter.
    """
    bounds, day = _bounds(month), timedelta(days=1)
    too_much = [
        _Part(month, rest, -1)
        for rest in (Days(bounds.since, wanted.since - day), Days(wanted.until + day, bounds.until))
        if rest.since <= rest.until
    ]
    if sum(part.days.length for part in too_much) <= wanted.length:
        return [month], too_much
    return [], [_Part(month, wanted, 1)]


def _bounds(month: str) -> Days:
    year, number = int(month[:4]), int(month[5:])
    return Days(date(year, number, 1), date(year, number, monthrange(year, number)[1]))
