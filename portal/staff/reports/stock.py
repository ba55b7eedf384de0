"""Stock that runs out: what is there, and for how many days at the pace of the last 90."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from decimal import Decimal

from django.db.models import QuerySet
from django.utils.translation import gettext as _

from apps.catalog.models import Product, Running, Stock
from apps.common.tables.download import Cell
from apps.common.texts import phrase
from apps.orders.selectors.sales import Days, Dimension, Figure, products_sold, sales
from portal.staff.reports.chart import Chart, Series, bar_chart

PACE = 90
WITHIN = (7, 21, 45, 90, 180)
RED, AMBER = 7, 21
MOST_SHOWN = 200
WEEK = timedelta(days=7)
OUT_OF_RANGE = (Running.DISCONTINUED, Running.HIDDEN)


@dataclass(frozen=True)
class Shelf:
    """A product with what is on its shelf, and when that is gone."""

    product: Product
    pace: Decimal
    days_left: int
    runs_out: date

    @property
    def tone(self) -> str:
        """Return how urgent it is."""
        return urgency(self.days_left)

    @property
    def short(self) -> int:
        """Return how many pieces are promised beyond the shelf."""
        return max(0, self.product.stock.allocated - self.product.stock.on_hand)


@dataclass(frozen=True)
class StockReport:
    """The products that run out within some days, the first to run out on top, and how many in each
    week.
    """

    rows: Sequence[Shelf]
    count: int
    within: int
    chart: Chart | None

    def cells(self) -> Iterable[Sequence[Cell]]:
        """Yield headings and rows as they are exported."""
        yield [
            "SKU",
            _("Product"),
            _("Brand"),
            _("On hand"),
            _("Promised"),
            phrase("A day, %(days)s d", days=PACE),
            _("Days left"),
            _("Runs out"),
        ]
        for row in self.rows:
            product = row.product
            yield [
                product.sku,
                product.eng_name,
                product.brand.eng,
                product.stock.on_hand,
                product.stock.allocated,
                row.pace,
                row.days_left,
                row.runs_out.isoformat(),
            ]


def urgency(days_left: int) -> str:
    """Return the tone of what runs out: red within a week, amber within three."""
    return "late" if days_left <= RED else "soon" if days_left <= AMBER else ""


def last_days(today: date) -> Days:
    """Return the days whose sales tell the pace: the last 90."""
    return Days(today - timedelta(days=PACE - 1), today)


def pieces_sold(today: date, products: Sequence[int] | None = None) -> dict[int, Decimal]:
    """Return how many pieces of each product were sold in the last 90 days, of some products alone
    where they are named.
    """
    only = None if products is None else {Dimension.PRODUCT: products}
    sold = sales([Dimension.PRODUCT], days=last_days(today), figure=Figure.PIECES, only=only)
    return {product: pieces for (product,), pieces in sold.items()}


def days_left(
    shelves: QuerySet[Stock], sold: Mapping[int, Decimal], *, today: date
) -> dict[int, int]:
    """Return for how many days each product lasts at the pace of what was `sold`. One statement.

    What is there is on hand less what is promised. What was not sold is left out, discontinued and
    hidden products too.
    """
    there = shelves.filter(product__in=products_sold(last_days(today)))
    rows = there.exclude(product__is_running__in=OUT_OF_RANGE)
    return {
        product: int(max(on_hand - promised, 0) * PACE / sold[product])
        for product, on_hand, promised in rows.values_list("product_id", "on_hand", "allocated")
        if sold.get(product, 0) > 0
    }


def count_running_out(*, today: date) -> int:
    """Return how many products are gone within a week. Two statements."""
    days_by_product = days_left(Stock.objects.all(), pieces_sold(today), today=today)
    return sum(count <= RED for count in days_by_product.values())


def stock_report(
    *, today: date, within: int = 45, brand: int | None = None, most: int = MOST_SHOWN
) -> StockReport:
    """Return what runs out within some days, of one brand alone. Three statements."""
    shelves, sold = Stock.objects.all(), pieces_sold(today)
    if brand is not None:
        shelves = shelves.filter(product__brand_id=brand)
    days_by_product = days_left(shelves, sold, today=today)
    out = sorted((count, product) for product, count in days_by_product.items() if count <= within)
    products = Product.objects.select_related("brand", "stock").in_bulk(
        [pk for _, pk in out[:most]]
    )
    rows = [
        Shelf(
            product=products[product],
            pace=(sold[product] / PACE).quantize(Decimal("0.1")),
            days_left=count,
            runs_out=today + timedelta(days=count),
        )
        for count, product in out[:most]
    ]
    chart = _weeks([count for count, _ in out], today=today, within=within)
    return StockReport(rows, len(out), within, chart)


def _weeks(days_left: Sequence[int], *, today: date, within: int) -> Chart | None:
    monday = today - timedelta(days=today.weekday())
    weeks = range((today.weekday() + within) // 7 + 1)
    counts = [Decimal(0)] * len(weeks)
    for days in days_left:
        counts[(today.weekday() + days) // 7] += 1
    labels = [_("this week"), *(f"{monday + week * WEEK:%m-%d}" for week in weeks[1:])]
    tones = [
        "c-bad",
        *("c1" if week * 7 - today.weekday() <= AMBER else "c0" for week in weeks[1:]),
    ]
    return bar_chart(
        title=_("Products that run out, by week"),
        labels=labels,
        series=[Series(_("Products"), counts, tones=tones)],
    )
