"""Open money by its age: who owes how much, and since when it is due."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from decimal import Decimal
from typing import Any

from django.db.models import Case, IntegerField, Max, Q, QuerySet, Sum, Value, When
from django.urls import reverse
from django.utils.translation import gettext as _, gettext_lazy

from apps.common.days import midnight
from apps.common.money import ZERO
from apps.common.staff_lists import day_of
from apps.common.tables.download import Cell
from apps.orders.models import Order, OrderEvent
from apps.orders.selectors.orders import OPEN_MONEY, is_overdue
from apps.orders.services.conversation import REMINDER
from apps.orders.status import OPEN, OrderStatus
from portal.staff.reports.chart import Chart, Series, bar_chart

MOST_SHOWN = 200
NOT_DUE = 0
# Days past due: each up to the first of the next.
BUCKETS = (
    (gettext_lazy("Not due"), None),
    (gettext_lazy("1–7 d"), 0),
    (gettext_lazy("8–30 d"), 7),
    (gettext_lazy("31–60 d"), 30),
    (gettext_lazy("over 60 d"), 60),
)
TONES = ("c0", "c1", "c4", "c4", "c-bad")


@dataclass(frozen=True)
class Debt:
    """A customer's, or an order's, open money by age."""

    name: str
    url: str
    where: str
    amounts: list[Decimal]
    reminded_at: datetime | None = None
    remind_url: str = ""

    @property
    def total(self) -> Decimal:
        """Return all of it together."""
        return sum(self.amounts, ZERO)


@dataclass(frozen=True)
class Receivables:
    """Outstanding by age: the rows, most overdue first, their sums, and the chart of the sums."""

    rows: Sequence[Debt]
    sums: Debt
    chart: Chart | None
    by_order: bool
    count: int

    @property
    def overdue(self) -> Decimal:
        """Return what is overdue of all."""
        return sum(self.sums.amounts[1:], ZERO)

    @property
    def headings(self) -> list[str]:
        """Return the names of the ages."""
        return [str(name) for name, *_days in BUCKETS]

    def cells(self) -> Iterable[Sequence[Cell]]:
        """Yield headings and rows as they are exported."""
        yield [
            _("Order") if self.by_order else _("Customer"),
            _("Country"),
            *self.headings,
            _("Sum $"),
            _("Last reminder"),
        ]
        for row in [*self.rows, self.sums]:
            at = day_of(row.reminded_at) if row.reminded_at else ""
            yield [row.name, row.where, *row.amounts, row.total, at]


def receivables(
    *,
    now: datetime,
    since: date | None = None,
    until: date | None = None,
    country: int | None = None,
    company: int | None = None,
    by_order: bool = False,
    most: int = MOST_SHOWN,
) -> Receivables:
    """Return what is open of the orders placed in these days, by customer or by order. At most
    three statements.

    A balance ages from the day it was due; a deposit, and what is due again after a payment, count
    as not due. `country` and `company` take those of one alone.
    """
    late = is_overdue(now)
    ages = [
        When(late & Q(due_at__lte=now - timedelta(days=days)), then=Value(place))
        for place, (*_name, days) in reversed(list(enumerate(BUCKETS)))
        if days is not None
    ]
    orders: QuerySet[Any] = Order.objects.filter(status__in=OPEN).annotate(
        open=OPEN_MONEY, age=Case(*ages, default=Value(NOT_DUE), output_field=IntegerField())
    )
    orders = orders.filter(open__gt=0).order_by()
    if since:
        orders = orders.filter(placed_at__gte=midnight(since))
    if until:
        orders = orders.filter(placed_at__lt=midnight(until + timedelta(days=1)))
    if country is not None:
        orders = orders.filter(company__country_id=country)
    if company is not None:
        orders = orders.filter(company_id=company)
    rows = _debts(orders, by_order=by_order)
    rows.sort(key=lambda debt: (*(-amount for amount in reversed(debt.amounts)), debt.name))
    sums = [sum((row.amounts[place] for row in rows), ZERO) for place in range(len(BUCKETS))]
    chart = bar_chart(
        title=_("Outstanding by age"),
        labels=[str(name) for name, *_days in BUCKETS],
        series=[Series(_("Open, $"), sums, tones=TONES)],
    )
    return Receivables(rows[:most], Debt(_("Total"), "", "", sums), chart, by_order, len(rows))


def _debts(orders: QuerySet[Any], *, by_order: bool) -> list[Debt]:
    key, name, where = "company_id", "company__name", "company__country__content"
    page, of_mail = "admin:accounts_company_change", "order__company_id"
    if by_order:
        key, name, where = "pk", "invoice_code", "company__name"
        page, of_mail = "admin:orders_order_change", "order_id"
    debts: dict[int, Debt] = {}
    mails = OrderEvent.objects.filter(
        order__in=orders.values("pk"), kind=OrderEvent.Kind.MAIL, key__startswith=f"{REMINDER}:"
    )
    reminded = dict(mails.order_by().values_list(of_mail).annotate(last=Max("at")))
    waiting: dict[int, list[int]] = {}  # orders whose buyers are to pay the balance, by company
    to_pay = orders.filter(
        status=OrderStatus.CONFIRMED, wire_announced=False, payment_pending=False
    )
    for company, pk in to_pay.values_list("company_id", "pk"):
        waiting.setdefault(company, []).append(pk)
    rows = orders.values_list(key, "company_id", name, where, "age")
    for pk, company, title, place, age, amount in rows.annotate(sum=Sum("open")):
        if pk not in debts:
            label = place if by_order or not place else _(place)
            remind = [one for one in waiting.get(company, ()) if one == pk or not by_order]
            url = f"?by=orders&company={company}" if remind else ""
            if len(remind) == 1:
                url = reverse("admin:orders_order_remind", args=remind)
            debts[pk] = Debt(
                title,
                reverse(page, args=[pk]),
                label or "",
                [ZERO] * len(BUCKETS),
                reminded.get(pk),
                url,
            )
        debts[pk].amounts[age] += amount
    return list(debts.values())
