"""What a report's address says: days, rows, columns, figure; what makes no sense falls back to the
usual.
"""

from dataclasses import dataclass
from datetime import date, timedelta
from typing import TypeVar

from django.http import QueryDict
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from apps.accounts.models import AddressEntry, Company
from apps.common.days import parse_day
from apps.common.ids import id_in
from apps.orders.selectors.sales import Days, Dimension, Figure
from portal.staff.reports.sales import MOST_MONTHS, Asked

T = TypeVar("T", Dimension, Figure)
PER_ORDER = {Dimension.BRAND, Dimension.PRODUCT}
ONE_THING = gettext_lazy("Rows and columns are the same: the columns are left out.")
ORDERS_WHOLE = gettext_lazy(
    "An order has several brands and products: it is counted by month, country and company only."
)


@dataclass(frozen=True)
class Preset:
    """A range with a name, and whether it is the one that is shown."""

    name: str
    days: Days
    is_shown: bool


def ranges(*, today: date, shown: Days) -> list[Preset]:
    """Return the ranges that have a name, all up to today."""
    quarter = date(today.year, (today.month - 1) // 3 * 3 + 1, 1)
    named = (
        (_("This month"), today.replace(day=1)),
        (_("Quarter"), quarter),
        (_("Year"), date(today.year, 1, 1)),
        (_("12 months"), last_months(today)),
    )
    return [Preset(name, Days(since, today), shown == Days(since, today)) for name, since in named]


def last_months(today: date) -> date:
    """Return the first day of the last twelve months, this one included."""
    serial = today.year * 12 + today.month - 1 - 11
    return date(serial // 12, serial % 12 + 1, 1)


def asked_days(query: QueryDict, *, today: date) -> tuple[Days, str]:
    """Return the days of an address, and what was changed of them: twelve months where nothing is
    said.
    """
    since, until = (parse_day(query.get(name, "")) for name in ("since", "until"))
    until = until or today
    since = since or last_months(until)
    if since > until:
        return Days(until, since), ""
    if len(Days(since, until).months()) > MOST_MONTHS:
        latest = (until.replace(day=1) - timedelta(days=31 * (MOST_MONTHS - 1))).replace(day=1)
        return Days(latest, until), _("At most %(count)s months are shown at once.") % {
            "count": MOST_MONTHS
        }
    return Days(since, until), ""


def asked_sales(query: QueryDict, *, today: date) -> tuple[Asked, str]:
    """Return what an address asks for of sales, and what was changed of it."""
    days, note = asked_days(query, today=today)
    rows = _one_of(Dimension, query.get("rows")) or Dimension.BRAND
    columns = (
        None
        if query.get("columns") == "none"
        else _one_of(Dimension, query.get("columns")) or Dimension.MONTH
    )
    if columns is rows:
        columns, note = None, str(ONE_THING) if "columns" in query else note
    figure = _one_of(Figure, query.get("figure")) or Figure.TOTAL
    if figure is Figure.ORDERS and {rows, columns} & PER_ORDER:
        figure, note = Figure.TOTAL, str(ORDERS_WHOLE)
    return Asked(
        days, rows, columns, figure, query.get("all") == "1", asked_number(query, "country")
    ), note


def asked_number(query: QueryDict, name: str) -> int | None:
    """Return the number of the one country, company or brand that an address asks for."""
    return id_in(query.get(name, ""))


def countries() -> list[tuple[int, str]]:
    """Return the countries that customers are of, by name. One statement."""
    used = Company.objects.filter(country__isnull=False).order_by().values("country")
    found = AddressEntry.objects.filter(pk__in=used).order_by("content")
    return [(entry.pk, str(entry)) for entry in found]


def _one_of(kind: type[T], value: str | None) -> T | None:
    return kind(value) if value in list(kind) else None
