"""Sales by month, brand, product, country or company, any two of them crossed, as rows, columns and
a chart.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from itertools import zip_longest
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from apps.accounts.models import AddressEntry, Company
from apps.catalog.models import Brand, Product
from apps.common.money import usd
from apps.common.tables.download import Cell
from apps.orders.selectors.sales import Days, Dimension, Figure, sales
from portal.staff.reports.behind import orders_behind
from portal.staff.reports.chart import COLOURS, Chart, Series, bar_chart

TOP, ALL, MOST_COLUMNS = 5, 200, 11
MOST_EXPORTED = 5_000
MOST_MONTHS = 36
NOTHING = Decimal(0)
D = Dimension
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


def counted(dimension: Dimension, count: int) -> str:
    """Return how many months, brands and so on: `1,204 products`."""
    return str(NAMES[dimension][1]) % {"count": f"{count:,}"}


@dataclass(frozen=True)
class Asked:
    """What a report of sales is asked for."""

    days: Days
    rows: Dimension = D.BRAND
    columns: Dimension | None = D.MONTH
    figure: Figure = Figure.TOTAL
    show_all: bool = False
    country: int | None = None

    @property
    def only(self) -> dict[Dimension, Any]:
        """Return the one country that is asked for, if it is one."""
        return {} if self.country is None else {D.COUNTRY: self.country}

    @property
    def only_lists(self) -> dict[Dimension, list[Any]]:
        """Return the same as lists of keys."""
        return {dimension: [key] for dimension, key in self.only.items()}

    def sales(
        self,
        *by: Dimension,
        days: Days | None = None,
        only: Mapping[Dimension, Sequence[Any]] | None = None,
    ) -> dict[Any, Decimal]:
        """Return what was sold by these, in other days or of some keys only where they
        are named.
        """
        return sales(
            by, days=days or self.days, figure=self.figure, only={**self.only_lists, **(only or {})}
        )

    def behind(self, **chosen: Any) -> str:
        """Return where the orders behind a figure are listed: `row` and `column` are its keys."""
        keys = {self.rows: chosen["row"]} if "row" in chosen else {}
        if "column" in chosen and self.columns is not None:
            keys[self.columns] = chosen["column"]
        return orders_behind(self.days, {**self.only, **keys})


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

    asked: Asked
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
        return counted(self.asked.rows, self.count)

    @property
    def first_heading(self) -> str:
        """Return what stands above the rows' names."""
        return str(NAMES[self.asked.rows][0])

    @property
    def average(self) -> Decimal | None:
        """Return what an order came to, where US dollars are shown."""
        return (
            usd(self.total.total / self.orders)
            if self.asked.figure is Figure.TOTAL and self.orders
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


class Sold(NamedTuple):
    """What a report is made of: what was sold by row, by column and by both, and the same of the
    year before.
    """

    row_keys: list[Any]
    column_keys: list[Any]
    of_rows: dict[Any, Decimal]
    of_columns: dict[Any, Decimal]
    cells: dict[Any, Decimal]
    rows_before: dict[Any, Decimal]
    columns_before: dict[Any, Decimal]
    whole: Decimal
    whole_before: Decimal

    @property
    def other_rows(self) -> int:
        """Return how many rows are not shown."""
        return len(self.of_rows.keys() - set(self.row_keys))

    @property
    def other_columns(self) -> int:
        """Return how many columns are not shown; months are, all of them."""
        return max(len(self.of_columns) - len(self.column_keys), 0)

    def of_row(self, key: Any) -> list[Decimal]:
        """Return a row's values, column by column."""
        return [self.cells.get((key, column), NOTHING) for column in self.column_keys]


def sales_report(asked: Asked, *, most_rows: int | None = None) -> SalesReport:
    """Return a report: the largest rows, the others together. At most nine statements.

    `most_rows` shows more rows than a page does, for the export.
    """
    sold = _sold(asked, most_rows)
    rows, total, before = _rows(asked, sold), _total(asked, sold), _before(sold)
    labels = [name for name, *_url in _names(asked.columns, sold.column_keys).values()]
    if sold.other_columns:
        labels.append(_("Other %(count)s") % {"count": sold.other_columns})
        rows, total = [_with_rest(row) for row in rows], _with_rest(total)
        before = _with_rest(before) if before else None
    of_customers = sales([D.COMPANY], days=asked.days, figure=Figure.ORDERS, only=asked.only_lists)
    return SalesReport(
        asked=asked,
        title=_title(asked),
        columns=labels,
        rows=rows,
        total=total,
        before=before,
        count=len(sold.row_keys) + sold.other_rows,
        orders=int(sum(of_customers.values(), NOTHING)),
        customers=len(of_customers),
        chart=_chart(asked, labels, rows, total),
    )


def _sold(asked: Asked, most_rows: int | None) -> Sold:
    of_rows = {key: value for (key,), value in asked.sales(asked.rows).items()}
    keys = _keys(
        asked.rows, of_rows, asked.days, most=most_rows or (ALL if asked.show_all else TOP)
    )
    of_columns, column_keys = _columns(asked, most=50 if most_rows else MOST_COLUMNS)
    cells = _cells(asked, keys, column_keys)
    before = _year_before(asked, keys)
    return Sold(
        keys,
        column_keys,
        of_rows,
        of_columns,
        cells,
        *before[:2],
        sum(of_rows.values(), NOTHING),
        before[2],
    )


def _rows(asked: Asked, sold: Sold) -> list[Row]:
    names = _names(asked.rows, sold.row_keys)
    rows = [
        _row(asked, sold, key, names[key], min(place, COLOURS - 1))
        for place, key in enumerate(sold.row_keys)
    ]
    return (
        [*rows, _others(sold, counted(asked.rows, sold.other_rows), rows)]
        if sold.other_rows
        else rows
    )


def _row(asked: Asked, sold: Sold, key: Any, name: tuple[str, str], colour: int) -> Row:
    total = sold.of_rows.get(key, NOTHING)
    return Row(
        name=name[0],
        values=sold.of_row(key),
        total=total,
        url=name[1],
        share=_percent(total, sold.whole) if sold.whole else None,
        change=percent_more(total, sold.rows_before.get(key)),
        colour=colour,
        links=[asked.behind(row=key, column=column) for column in sold.column_keys],
        link=asked.behind(row=key),
    )


def _total(asked: Asked, sold: Sold) -> Row:
    return Row(
        _("Total"),
        [sold.of_columns.get(column, NOTHING) for column in sold.column_keys],
        sold.whole,
        share=Decimal(100) if sold.whole else None,
        change=percent_more(sold.whole, sold.whole_before),
        links=[asked.behind(column=column) for column in sold.column_keys],
        link=asked.behind(),
    )


def _before(sold: Sold) -> Row | None:
    if not sold.whole_before:
        return None
    shown = sold.column_keys if sold.columns_before else []
    values = [sold.columns_before.get(column, NOTHING) for column in shown]
    return Row(_("The year before"), values, sold.whole_before)


def _keys(dimension: Dimension, found: dict[Any, Decimal], days: Days, *, most: int) -> list[Any]:
    """Return which keys are shown: all months in their order, of others the largest."""
    if dimension is D.MONTH:
        return days.months()
    return sorted(found, key=lambda key: (-found[key], str(key)))[:most]


def _columns(asked: Asked, *, most: int) -> tuple[dict[Any, Decimal], list[Any]]:
    if asked.columns is None:
        return {}, []
    found = {key: value for (key,), value in asked.sales(asked.columns).items()}
    return found, _keys(asked.columns, found, asked.days, most=most)


def _cells(asked: Asked, keys: list[Any], column_keys: list[Any]) -> dict[Any, Decimal]:
    if asked.columns is None or not keys or not column_keys:
        return {}
    # Only what is shown is read: the largest products of the largest companies, not all of all.
    shown = ((asked.rows, keys), (asked.columns, column_keys))
    only: dict[Dimension, list[Any]] = {
        dimension: part for dimension, part in shown if dimension not in (D.MONTH, D.COUNTRY)
    }
    return asked.sales(asked.rows, asked.columns, only=only)


def _year_before(
    asked: Asked, keys: list[Any]
) -> tuple[dict[Any, Decimal], dict[Any, Decimal], Decimal]:
    """Return what was sold on the same days of the year before: of the rows that are shown, by
    columns, and of all.

    Of thousands of products only those that are shown are read, and none as columns. One country
    may be asked for already.
    """
    days = asked.days.year_before()
    by = None if asked.columns is D.PRODUCT else asked.columns
    columns = _by_one(asked, by, days=days) if by else {}
    whole = sum((columns if by else asked.sales(days=days)).values(), NOTHING)
    if not whole:
        return {}, {}, whole
    only: dict[Dimension, Any] = (
        {asked.rows: keys} if asked.rows not in (D.COUNTRY, D.MONTH) else {}
    )
    return _by_one(asked, asked.rows, days=days, only=only), columns, whole


def _by_one(
    asked: Asked,
    dimension: Dimension,
    *,
    days: Days,
    only: Mapping[Dimension, Sequence[Any]] | None = None,
) -> dict[Any, Decimal]:
    """Return what was sold the year before by one dimension, a month by its name of the year that
    is asked for.
    """
    found = asked.sales(dimension, days=days, only=only)
    if dimension is D.MONTH:
        return {f"{int(month[:4]) + 1}{month[4:]}": value for (month,), value in found.items()}
    return {key: value for (key,), value in found.items()}


def _others(sold: Sold, counted: str, shown: list[Row]) -> Row:
    """Return the rows that are not shown together."""
    wholes = [sold.of_columns.get(column, NOTHING) for column in sold.column_keys]
    values = [
        whole - sum((row.values[place] for row in shown), NOTHING)
        for place, whole in enumerate(wholes)
    ]
    total = sold.whole - sum((row.total for row in shown), NOTHING)
    before = sold.whole_before - sum(
        (sold.rows_before.get(key, NOTHING) for key in sold.row_keys), NOTHING
    )
    return Row(
        _("Other %(counted)s") % {"counted": counted},
        values,
        total,
        share=_percent(total, sold.whole),
        change=percent_more(total, before if before > 0 else None),
        colour=COLOURS - 1,
    )


def _with_rest(row: Row) -> Row:
    """Return a row with what the columns not shown came to, where its columns are known."""
    rest = row.total - sum(row.values, NOTHING)
    return replace(row, values=[*row.values, rest]) if row.values else row


def _percent(part: Decimal, whole: Decimal) -> Decimal:
    return (part * 100 / whole).quantize(Decimal("0.1"), ROUND_HALF_UP)


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
    found = model.objects.in_bulk([key for key in keys if key is not None])
    return {key: _name(dimension, key, found.get(key)) for key in keys}


def _name(dimension: Dimension, key: Any, thing: Any) -> tuple[str, str]:
    match dimension if thing else None:
        case D.BRAND:
            return thing.eng, reverse("admin:catalog_brand_change", args=[key])
        case D.PRODUCT:
            return f"{thing.eng_name} · {thing.sku}", reverse(
                "admin:catalog_product_change", args=[key]
            )
        case D.COMPANY:
            return thing.name, reverse("admin:accounts_company_change", args=[key])
    return str(thing or NO_COUNTRY), ""


def _title(asked: Asked) -> str:
    words = {"figure": FIGURES[asked.figure][1], "rows": NAMES[asked.rows][0].lower()}
    if not asked.columns:
        return _("%(figure)s by %(rows)s") % words
    columns = NAMES[asked.columns][0].lower()
    return _("%(figure)s by %(rows)s and %(columns)s") % {**words, "columns": columns}


def _chart(asked: Asked, columns: Sequence[str], rows: Sequence[Row], total: Row) -> Chart | None:
    """Return the chart of the table: months lie below wherever they are one of the two; six colours
    at most.
    """
    title = _title(asked)
    if not columns:
        return bar_chart(
            title=title,
            labels=bar_labels([row.name for row in rows[:12]]),
            series=[Series(str(FIGURES[asked.figure][0]), [row.total for row in rows[:12]])],
        )
    if asked.rows is D.MONTH:
        lines = [(name, [row.values[place] for row in rows]) for place, name in enumerate(columns)]
        below: Sequence[str] = [row.name for row in rows]
    else:
        lines, below = [(row.name, list(row.values)) for row in rows], columns
    return bar_chart(title=title, labels=bar_labels(below), series=own_series(lines))


def own_series(lines: Sequence[tuple[str, list[Decimal]]]) -> list[Series]:
    """Return lines as series: five of their own colour, all others as one in grey."""
    if len(lines) <= COLOURS:
        return [Series(name, values, number) for number, (name, values) in enumerate(lines)]
    own, rest = lines[:TOP], lines[TOP:]
    others = [
        sum(values, NOTHING) for values in zip(*(values for *_name, values in rest), strict=True)
    ]
    return [*(Series(name, values, number) for number, (name, values) in enumerate(own)),
            Series(_("Others"), others, COLOURS - 1)]  # fmt: skip


def bar_labels(names: Sequence[str]) -> list[str]:
    """Return what stands below the bars: `Nov`, with its year at the first and in January; other
    names shortened.
    """
    return [_bar_label(name, is_first=place == 0) for place, name in enumerate(names)]


def _bar_label(name: str, *, is_first: bool) -> str:
    if len(name) == 7 and name[4] == "-" and name[:4].isdecimal():
        month = date(int(name[:4]), int(name[5:]), 1)
        has_year = is_first or month.month == 1
        return date_format(month, pgettext("date", "Y M") if has_year else "M")
    return name if len(name) <= 13 else f"{name[:12]}…"
