"""The pages of the reports. Every report is an address: GET, nothing is changed; what makes no
sense in it falls back to the usual.
"""

from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from typing import Any, TypeVar
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _, gettext_lazy, pgettext, pgettext_lazy

from apps.accounts.models import AddressEntry, Company
from apps.catalog.models import Brand
from apps.common.days import parse_day
from apps.common.ids import id_in
from apps.common.staff import staff_page
from apps.common.staff_fields import CITY
from apps.common.tables.download import FORMATS, MOST_ROWS, Rows, table_file
from apps.common.texts import phrase
from apps.orders.selectors.sales import Days, Dimension, Figure
from portal.staff.reports.receivables import receivables
from portal.staff.reports.sales import (
    FIGURES,
    MOST_EXPORTED,
    MOST_MONTHS,
    NAMES,
    SalesQuery,
    last_months,
    sales_report,
)
from portal.staff.reports.stock import PACE, WITHIN, stock_report

T = TypeVar("T", Dimension, Figure)
PER_ORDER = {Dimension.BRAND, Dimension.PRODUCT}
ONE_THING = gettext_lazy("Rows and columns are the same: the columns are left out.")
ORDERS_WHOLE = gettext_lazy(
    "An order has several brands and products: it is counted by month, country and company only."
)
SALES = "changelist"
TABS = (
    (SALES, pgettext_lazy("report", "Sales")),
    ("receivables", gettext_lazy("Receivables by age")),
    ("stock", gettext_lazy("Stock that runs out")),
)
SALES_HINT = gettext_lazy(
    "At the day of confirmation, without shipping fees; cancelled orders are left out"
)


def _days_of(query: QueryDict, *, today: date) -> tuple[Days, str]:
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
        note = phrase("At most %(count)s months are shown at once.", count=MOST_MONTHS)
        return Days(latest, until), note
    return Days(since, until), ""


def _sales_query_of(query: QueryDict, *, today: date) -> tuple[SalesQuery, str]:
    """Return what an address asks for of sales, and what was changed of it."""
    days, note = _days_of(query, today=today)
    rows = _one_of(Dimension, query.get("rows")) or Dimension.BRAND
    columns = None
    if query.get("columns") != "none":
        columns = _one_of(Dimension, query.get("columns")) or Dimension.MONTH
    if columns is rows:
        columns, note = None, str(ONE_THING) if "columns" in query else note
    figure = _one_of(Figure, query.get("figure")) or Figure.TOTAL
    if figure is Figure.ORDERS and {rows, columns} & PER_ORDER:
        figure, note = Figure.TOTAL, str(ORDERS_WHOLE)
    country = id_in(query.get("country", ""))
    return SalesQuery(days, rows, columns, figure, query.get("all") == "1", country), note


def _one_of(kind: type[T], value: str | None) -> T | None:
    return kind(value) if value in list(kind) else None


def _countries() -> list[tuple[int, str]]:
    """Return the countries that customers are of, by name. One statement."""
    used = Company.objects.filter(country__isnull=False).order_by().values("country")
    countries = AddressEntry.objects.filter(pk__in=used).order_by("content")
    return [(entry.pk, str(entry)) for entry in countries]


def sales_page(request: HttpRequest) -> HttpResponse:
    """Show the sales, or send them as a file."""
    today = timezone.localdate()
    query, note = _sales_query_of(request.GET, today=today)
    if file := _file(
        request,
        lambda: sales_report(query, most_rows=MOST_EXPORTED).cells(),
        name=pgettext("report", "Sales"),
    ):
        return file
    periods = (  # each up to today
        (_("This month"), today.replace(day=1)),
        (_("Quarter"), date(today.year, (today.month - 1) // 3 * 3 + 1, 1)),
        (_("Year"), date(today.year, 1, 1)),
        (_("12 months"), last_months(today)),
    )
    return _report(
        request,
        "sales",
        SALES,
        report=sales_report(query),
        note=note,
        hint=SALES_HINT,
        days=query.days,
        ranges=[
            (
                name,
                query.days == Days(since, today),
                _with(request, since=f"{since}", until=f"{today}"),
            )
            for name, since in periods
        ],
        dimensions=[(key.value, name) for key, (name, _) in NAMES.items()],
        figures=[(key.value, name) for key, (name, _) in FIGURES.items()],
        countries=_countries(),
        country=query.country,
        counted_at=timezone.now(),
        other_size=_with(request, all="" if query.show_all else "1"),
    )


def receivables_page(request: HttpRequest) -> HttpResponse:
    """Show the open money by age, or send it as a file."""
    query, now = request.GET, timezone.now()
    only: dict[str, Any] = {
        **{name: parse_day(query.get(name, "")) for name in ("since", "until")},
        **{name: id_in(query.get(name, "")) for name in ("country", "company")},
        "by_order": query.get("by") == "orders",
    }
    rows, company, by_order = (
        partial(receivables, now=now, **only),
        only["company"],
        only["by_order"],
    )
    if file := _file(request, lambda: rows(most=MOST_ROWS).cells(), name=_("Receivables")):
        return file
    return _report(
        request,
        "receivables",
        "receivables",
        report=rows(),
        days=only,
        at=now,
        countries=_countries(),
        country=only["country"],
        company=Company.objects.filter(pk=company).first() if company else None,
        all_companies=_with(request, company=""),
        by=[
            (_("Customers"), _with(request, by=""), not by_order),
            (_("Orders"), _with(request, by="orders"), by_order),
        ],
    )


def stock_page(request: HttpRequest) -> HttpResponse:
    """Show the stock that runs out, or send it as a file."""
    choice, brand = request.GET.get("within"), id_in(request.GET.get("brand", ""))
    within = next((days for days in WITHIN if str(days) == choice), 45)
    rows = partial(stock_report, today=timezone.localdate(), within=within, brand=brand)
    if file := _file(request, lambda: rows(most=MOST_ROWS).cells(), name=_("Stock")):
        return file
    return _report(
        request,
        "stock",
        "stock",
        report=rows(),
        pace=PACE,
        withins=WITHIN,
        brands=Brand.objects.order_by("list_key").values_list("pk", "eng"),
        brand=brand,
    )


def _report(request: HttpRequest, template: str, name: str, **context: Any) -> HttpResponse:
    """Return a report in its frame: the tabs, the files."""
    here = dict(TABS)[name]
    return staff_page(
        request,
        f"staff/reports/{template}.html",
        title=_("Reports"),
        subtitle=here,
        trail=[(_("Reports"), _address(SALES))],
        here=here,
        tabs=[(_address(route), label, route == name) for route, label in TABS],
        is_own=not any(is_current for _, is_current, _ in context.get("ranges", ())),
        zone=CITY,
        xlsx=_with(request, format="xlsx"),
        csv=_with(request, format="csv"),
        **context,
    )


def _address(name: str) -> str:
    return reverse(f"admin:orders_salestally_{name}")


def _file(request: HttpRequest, rows: Callable[[], Rows], *, name: str) -> HttpResponse | None:
    """Return the rows as the file that the address asks for, if it does."""
    format_ = request.GET.get("format", "")
    return table_file(rows(), name=name, format_=format_) if format_ in FORMATS else None


def _with(request: HttpRequest, **changed: str) -> str:
    """Return the address of this page with other parameters; an empty one is left out."""
    query = {**request.GET.dict(), **changed}
    return "?" + urlencode({name: value for name, value in query.items() if value})
