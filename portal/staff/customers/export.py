"""Customers of the list as rows of a table to download."""

from collections.abc import Iterator
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext

from apps.accounts.models import Company
from apps.common.money import ZERO, usd
from apps.common.tables.download import MOST_ROWS, Cell

HEADINGS = (
    gettext_lazy("Customer"),
    gettext_lazy("Country"),
    gettext_lazy("Price group"),
    gettext_lazy("State"),
)
OF_ORDERS = (
    gettext_lazy("Open orders"),
    gettext_lazy("Their total $"),
    gettext_lazy("Outstanding $"),
    gettext_lazy("Overdue $"),
    gettext_lazy("Last order"),
    gettext_lazy("12 months $"),
)


def customer_rows(companies: QuerySet[Company], *, sees_orders: bool) -> Iterator[tuple[Cell, ...]]:
    """Yield the headings, then a row for each customer; figures of orders for those who see orders
    alone.
    """
    yield tuple(str(name) for name in (*HEADINGS, *(OF_ORDERS if sees_orders else ())))
    for company in companies.select_related("country", "price_group")[:MOST_ROWS].iterator(
        chunk_size=2000
    ):
        state = pgettext("customer", "Open") if company.is_open else _("Closed")
        who = (company.name, str(company.country or ""), str(company.price_group or ""), state)
        if not sees_orders:
            yield who
            continue
        row: Any = company
        last = f"{timezone.localtime(row.last_order):%Y-%m-%d}" if row.last_order else ""
        amounts = (row.open_total, row.open_money, row.overdue, row.twelve_months)
        total, open_, overdue, twelve = (usd(amount or ZERO) for amount in amounts)
        yield (*who, row.open_orders or 0, total, open_, overdue, last, twelve)
