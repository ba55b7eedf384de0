"""Sales by month, brand, product, country or company, any two of them crossed, as rows, columns and
a chart.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from functools import cache
from itertools import zip_longest
from typing import Any

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _, gettext_lazy, pgettext, pgettext_lazy

from apps.accounts.models import AddressEntry, Company
from apps.catalog.models import Brand, Product
from apps.common.money import usd
from apps.common.staff import page_of
from apps.common.tables.download import Cell
from apps.common.texts import phrase
from apps.orders.selectors.sales import Days, Dimension, Figure, sales
from portal.staff.reports.chart import COLOURS, Chart, Series, bar_chart

TOP, ALL, MOST_COLUMNS = 5, 200, 11
MOST_EXPORTED = 5_000
MOST_MONTHS = 36
NOTHING = Decimal(0)
D = Dimension
WHOLE = (D.MONTH, D.COUNTRY)  # read whole: they are few
NAMES = {
    D.MONTH: (gettext_lazy("Month"), gettext_lazy("%(count)s months")),
    D.BRAND: (gettext_lazy("Brand"), gettext_lazy("%(count)s brands")),
    D.PRODUCT: (gettext_lazy("Product"), gettext_lazy("%(count)s products")),
    D.COUNTRY: (gettext_lazy("Country"), gettext_lazy("%(count)s countries")),
    D.COMPANY: (pgettext_lazy("report", "Company"), gettext_lazy("%(count)s companies")),
}
FIGURES = {
    Figure.TOTAL: (gettext_lazy("Confirmed, $"), gettext_lazy("Confirmed sales")),
    Figure.PIECES: (gettext_lazy("Pieces"), gettext_lazy("Pieces sold")),
    Figure.ORDERS: (gettext_lazy("Orders"), gettext_lazy("Confirmed orders")),
}
NO_COUNTRY = gettext_lazy("No country")


def last_months(today: date) -> date:
    """Return the first day of the last twelve months, this one included."""
    serial = today.year * 12 + today.month - 1 - 11
    return date(serial // 12, serial % 12 + 1, 1)


def counted(dimension: Dimension, count: int) -> str:
    """Return how many months, brands and so on: `1,204 products`."""
    return str(NAMES[dimension][1]) % {"count": f"{count:,}"}


@dataclass(frozen=True)
class SalesQuery:
    """What a report of sales is asked for."""

    days: Days
    rows: Dimension = D.BRAND
    columns: Dimension | None = D.MONTH
    figure: Figure = Figure.TOTAL
    show_all: bool = False
    country: int | None = None

    def sales(
        self,
        *by: Dimension,
        days: Days | None = None,
        figure: Figure | None = None,
        only: Mapping[Dimension, Sequence[Any]] | None = None,
    ) -> dict[Any, Decimal]:
        """Return what was sold by these; in other days, another figure or of some keys only where
        they are named. A single dimension's keys stand for themselves.
        """
        country = {} if self.country is None else {D.COUNTRY: [self.country]}
        rows = sales(
            by,
            days=days or self.days,
            figure=figure or self.figure,
            only={**country, **(only or {})},
        )
        return {keys[0]: value for keys, value in rows.items()} if len(by) == 1 else rows

    def behind(self, keys: Mapping[Dimension, Any]) -> str:
        """Return where the orders behind a figure of these keys are listed."""
        country = {} if self.country is None else {D.COUNTRY: self.country}
        return orders_behind(self.days, {**country, **keys})


def orders_behind(days: Days, values: Mapping[Dimension, Any]) -> str:
    """Return the address of the orders confirmed in these days, of the month, brand, product,
    country or company.

    What has no number, such as companies without a country, has no address.
    """
    if None in values.values():
        return ""
    only = dict(values)
    if month := only.pop(D.MONTH, None):
        days = days.within(month)
    keys = "".join(f"&sold_{dimension}={key:d}" for dimension, key in only.items())
    return f"{_orders()}?status=all&sold_since={days.since}&sold_until={days.until}{keys}"


@cache
def _orders() -> str:
    # Once: a table of 200 rows has thousands of figures.
    return reverse("admin:orders_order_changelist")


@dataclass(frozen=True)
class Row:
    """A row of the table: its name and page, a value for each column, their sum, its share and its
    change in %.

    `links` lead to the orders behind each value, `link` to those behind the sum.
    """

    name: str
    values: Sequence[Decimal]
    total: Decimal
    url: str = ""
    share: Decimal | None = None
    change: Decimal | None = None
    colour: int = 0
    links: Sequence[str] = ()
    link: str = ""

    @property
    def figures(self) -> list[tuple[Any, Any]]:
        """Return each value with the address of its orders, empty where there is none."""
        return list(zip_longest(self.values, self.links, fillvalue=""))


@dataclass(frozen=True)
class SalesReport:
    """The table with its sums, and the chart of the same figures."""

    query: SalesQuery
    title: str
    columns: Sequence[str]
    rows: Sequence[Row]
    total: Row
    before: Row | None
    count: int
    orders: int
    customers: int
    chart: Chart | None

    @property
    def counted(self) -> str:
        """Return how many rows there are of what."""
        return counted(self.query.rows, self.count)

    @property
    def first_heading(self) -> str:
        """Return what stands above the rows' names."""
        return str(NAMES[self.query.rows][0])

    @property
    def average(self) -> Decimal | None:
        """Return what an order came to, where US dollars are shown."""
        return (
            usd(self.total.total / self.orders)
            if self.query.figure is Figure.TOTAL and self.orders
            else None
        )

    def cells(self) -> Iterable[Sequence[Cell]]:
        """Yield headings and rows as they are exported."""
        yield [
            self.first_heading,
            *self.columns,
            _("Sum"),
            "%",
            _("Change on the year before, %"),
        ]
        for row in [*self.rows, self.total]:
            yield [
                row.name,
                *row.values,
                row.total,
                *("" if one is None else one for one in (row.share, row.change)),
            ]
        if self.before is not None:
            values: Sequence[Cell] = self.before.values or [""] * len(self.columns)
            yield [self.before.name, *values, self.before.total]


def sales_report(query: SalesQuery, *, most_rows: int | None = None) -> SalesReport:
    """Return a report: the largest rows, the others together. At most nine statements.

    `most_rows` shows more rows than a page does, for the export.
    """
    by_row, keys = _largest(query, query.rows, most_rows or (ALL if query.show_all else TOP))
    by_column, columns = _largest(query, query.columns, 50 if most_rows else MOST_COLUMNS)
    cells = _cells(query, keys, columns)
    rows_before, columns_before, whole_before = _year_before(query, keys)
    whole, names = sum(by_row.values(), NOTHING), _names(query.rows, keys)
    hidden = len(by_column) - len(columns)

    def row(
        name: str,
        values: list[Decimal],
        total: Decimal,
        before: Decimal | None,
        of: dict[Dimension, Any] | None = None,
        **about: Any,
    ) -> Row:
        """Return a row, with what the columns not shown came to; those `of` some keys have links to
        their orders.
        """
        rest = [total - sum(values, NOTHING)] if hidden > 0 and values else []
        links: list[str] = []
        if of is not None:
            keys_of = [{**of, query.columns: column} for column in columns if query.columns]
            links = [query.behind(key) for key in keys_of]
        return Row(
            name,
            [*values, *rest],
            total,
            share=(total * 100 / whole).quantize(Decimal("0.1"), ROUND_HALF_UP) if whole else None,
            change=percent_more(total, before),
            links=links,
            link="" if of is None else query.behind(of),
            **about,
        )

    rows = [
        row(
            names[key][0],
            [cells.get((key, column), NOTHING) for column in columns],
            by_row.get(key, NOTHING),
            rows_before.get(key),
            {query.rows: key},
            url=names[key][1],
            colour=min(place, COLOURS - 1),
        )
        for place, key in enumerate(keys)
    ]
    values = [by_column.get(column, NOTHING) for column in columns]
    total = row(_("Total"), values, whole, whole_before, {})
    count = len(by_row.keys() | set(keys))
    if count > len(keys):
        before = whole_before - sum((rows_before.get(key, NOTHING) for key in keys), NOTHING)
        others = row(
            phrase("Other %(counted)s", counted=counted(query.rows, count - len(keys))),
            [
                value - sum((row.values[place] for row in rows), NOTHING)
                for place, value in enumerate(values)
            ],
            whole - sum((row.total for row in rows), NOTHING),
            before if before > 0 else None,
            colour=COLOURS - 1,
        )
        rows.append(others)
    values = [columns_before.get(column, NOTHING) for column in columns] if columns_before else []
    labels = [name for name, _url in _names(query.columns, columns).values()]
    if hidden > 0:
        labels.append(phrase("Other %(count)s", count=hidden))
    of_customers = query.sales(D.COMPANY, figure=Figure.ORDERS)
    return SalesReport(
        query=query,
        title=_title(query),
        columns=labels,
        rows=rows,
        total=total,
        before=row(_("The year before"), values, whole_before, None) if whole_before else None,
        count=count,
        orders=int(sum(of_customers.values(), NOTHING)),
        customers=len(of_customers),
        chart=_chart(query, labels, rows),
    )


def _largest(
    query: SalesQuery, dimension: Dimension | None, most: int
) -> tuple[dict[Any, Decimal], list[Any]]:
    """Return what was sold by a dimension, and which keys are shown: all months in their order, of
    others the largest.
    """
    totals = query.sales(dimension) if dimension else {}
    if dimension is D.MONTH:
        return totals, query.days.months()
    return totals, sorted(totals, key=lambda key: (-totals[key], str(key)))[:most]


def _cells(query: SalesQuery, keys: list[Any], columns: list[Any]) -> dict[Any, Decimal]:
    if query.columns is None or not keys or not columns:
        return {}
    # Only what is shown is read: the largest products of the largest companies, not all of all.
    sides = ((query.rows, keys), (query.columns, columns))
    only = {dimension: part for dimension, part in sides if dimension not in WHOLE}
    return query.sales(query.rows, query.columns, only=only)


def _year_before(
    query: SalesQuery, keys: list[Any]
) -> tuple[dict[Any, Decimal], dict[Any, Decimal], Decimal]:
    """Return what was sold on the same days of the year before: of the rows that are shown, by
    columns, and of all. A month has its name of the year that is asked for.

    Of thousands of products only those that are shown are read, and none as columns. One country
    may be asked for already.
    """
    days = query.days.year_before()
    by = [query.columns] if query.columns and query.columns is not D.PRODUCT else []
    columns = query.sales(*by, days=days)
    whole = sum(columns.values(), NOTHING)
    only = {} if query.rows in WHOLE else {query.rows: keys}
    rows = query.sales(query.rows, days=days, only=only) if whole else {}
    return (
        _a_year_later(rows) if query.rows is D.MONTH else rows,
        {} if not by else _a_year_later(columns) if by == [D.MONTH] else columns,
        whole,
    )


def _a_year_later(months: Mapping[str, Decimal]) -> dict[Any, Decimal]:
    return {f"{int(month[:4]) + 1}{month[4:]}": value for month, value in months.items()}


def percent_more(now: Decimal, before: Decimal | None) -> Decimal | None:
    """Return by how many per cent a figure is more than before; None where there was none."""
    return ((now - before) * 100 / before).quantize(Decimal(1), ROUND_HALF_UP) if before else None


def _names(dimension: Dimension | None, keys: Iterable[Any]) -> dict[Any, tuple[str, str]]:
    """Return the name of each key and the address of its page, in the keys' order. At most one
    statement.
    """
    keys = list(keys)
    if dimension is None or dimension is D.MONTH:
        return {key: (key, "") for key in keys}
    model: Any = {D.BRAND: Brand, D.PRODUCT: Product, D.COUNTRY: AddressEntry, D.COMPANY: Company}[
        dimension
    ]
    names = model.objects.in_bulk([key for key in keys if key is not None])
    return {key: _name(dimension, names.get(key)) for key in keys}


def _name(dimension: Dimension, thing: Any) -> tuple[str, str]:
    match dimension if thing else None:
        case D.BRAND:
            return thing.eng, page_of(thing)
        case D.PRODUCT:
            return f"{thing.eng_name} · {thing.sku}", page_of(thing)
        case D.COMPANY:
            return thing.name, page_of(thing)
    return str(thing or NO_COUNTRY), ""


def _title(query: SalesQuery) -> str:
    words = {"figure": FIGURES[query.figure][1], "rows": NAMES[query.rows][0].lower()}
    if not query.columns:
        return _("%(figure)s by %(rows)s") % words
    columns = NAMES[query.columns][0].lower()
    return _("%(figure)s by %(rows)s and %(columns)s") % {**words, "columns": columns}


def _chart(query: SalesQuery, columns: Sequence[str], rows: Sequence[Row]) -> Chart | None:
    """Return the chart of the table: months lie below wherever they are one of the two; five lines
    of their own colour, all others as one in grey.
    """
    labels = columns if columns and query.rows is not D.MONTH else [row.name for row in rows]
    if not columns:
        labels = labels[:12]
        lines = [(str(FIGURES[query.figure][0]), [row.total for row in rows[:12]])]
    elif query.rows is D.MONTH:
        lines = [(name, [row.values[place] for row in rows]) for place, name in enumerate(columns)]
    else:
        lines = [(row.name, list(row.values)) for row in rows]
    if len(lines) > COLOURS:
        rest = zip(*(values for _name, values in lines[TOP:]), strict=True)
        lines = [*lines[:TOP], (_("Others"), [sum(values, NOTHING) for values in rest])]
    series = [Series(name, values, colour) for colour, (name, values) in enumerate(lines)]
    return bar_chart(title=_title(query), labels=bar_labels(labels), series=series)


def bar_labels(names: Sequence[str]) -> list[str]:
    """Return what stands below the bars: `Nov`, with its year at the first and in January."""
    labels: list[str] = []
    for name in names:
        label = name
        if len(name) == 7 and name[4] == "-" and name[:4].isdecimal():
            month = date(int(name[:4]), int(name[5:]), 1)
            has_year = not labels or month.month == 1
            label = date_format(month, pgettext("date", "Y M") if has_year else "M")
        labels.append(label)
    return labels
