"""The pages of the reports. Every report is an address: GET, nothing is changed."""

from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext, pgettext_lazy

from apps.accounts.models import Company
from apps.catalog.models import Brand
from apps.common.days import parse_day
from apps.common.staff import staff_page
from apps.common.staff_moments import CITY
from apps.common.tables.download import FORMATS, MOST_ROWS, Rows, table_file
from portal.staff.reports.form import (
    asked_number,
    asked_sales,
    countries,
    ranges,
)
from portal.staff.reports.receivables import receivables
from portal.staff.reports.sales import FIGURES, MOST_EXPORTED, NAMES, sales_report
from portal.staff.reports.stock import PACE, WITHIN, stock_report

SALES = "changelist"
TABS = (
    (SALES, pgettext_lazy("report", "Sales")),
    ("receivables", gettext_lazy("Receivables by age")),
    ("stock", gettext_lazy("Stock that runs out")),
)
SALES_HINT = gettext_lazy(
    "At the day of confirmation, without shipping fees; cancelled orders are left out"
)


def sales_page(request: HttpRequest) -> HttpResponse:
    """Show the sales, or send them as a file."""
    today = timezone.localdate()
    asked, note = asked_sales(request.GET, today=today)
    if file := _file(
        request,
        lambda: sales_report(asked, most_rows=MOST_EXPORTED).cells(),
        name=pgettext("report", "Sales"),
    ):
        return file
    return _report(
        request,
        "sales",
        SALES,
        report=sales_report(asked),
        note=note,
        hint=SALES_HINT,
        days=asked.days,
        ranges=[
            (one, _with(request, since=f"{one.days.since}", until=f"{one.days.until}"))
            for one in ranges(today=today, shown=asked.days)
        ],
        dimensions=[(key.value, name) for key, (name, _) in NAMES.items()],
        figures=[(key.value, name) for key, (name, _) in FIGURES.items()],
        countries=countries(),
        country=asked.country,
        counted_at=timezone.now(),
        other_size=_with(request, all="" if asked.show_all else "1"),
    )


def receivables_page(request: HttpRequest) -> HttpResponse:
    """Show the open money by age, or send it as a file."""
    since, until = (parse_day(request.GET.get(name, "")) for name in ("since", "until"))
    by_order, now, country = (
        request.GET.get("by") == "orders",
        timezone.now(),
        asked_number(request.GET, "country"),
    )
    company = asked_number(request.GET, "company")
    rows = partial(
        receivables,
        now=now,
        since=since,
        until=until,
        country=country,
        company=company,
        by_order=by_order,
    )
    if file := _file(request, lambda: rows(most=MOST_ROWS).cells(), name=_("Receivables")):
        return file
    return _report(
        request,
        "receivables",
        "receivables",
        report=rows(),
        days={"since": since, "until": until},
        at=now,
        countries=countries(),
        country=country,
        company=Company.objects.filter(pk=company).first() if company else None,
        all_companies=_with(request, company=""),
        by=[
            (_("Customers"), _with(request, by=""), not by_order),
            (_("Orders"), _with(request, by="orders"), by_order),
        ],
    )


def stock_page(request: HttpRequest) -> HttpResponse:
    """Show the stock that runs out, or send it as a file."""
    wanted, brand = request.GET.get("within"), asked_number(request.GET, "brand")
    within = next((days for days in WITHIN if str(days) == wanted), 45)
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
        is_own=not any(one.is_shown for one, _ in context.get("ranges", ())),
        zone=CITY,
        xlsx=_with(request, format="xlsx"),
        csv=_with(request, format="csv"),
        **context,
    )


def _address(name: str) -> str:
    return reverse(f"admin:orders_salestally_{name}")


def _file(request: HttpRequest, rows: Callable[[], Rows], *, name: str) -> HttpResponse | None:
    """Return the rows as the file that the address asks for, if it does."""
    asked = request.GET.get("format", "")
    return table_file(rows(), name=name, format_=asked) if asked in FORMATS else None


def _with(request: HttpRequest, **changed: str) -> str:
    """Return the address of this page with other parameters; an empty one is left out."""
    query = {**request.GET.dict(), **changed}
    return "?" + urlencode({name: value for name, value in query.items() if value})
