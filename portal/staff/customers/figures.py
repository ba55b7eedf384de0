"""The figures of customers: what is open and overdue of their orders, when they ordered last, what
in twelve months.
"""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import (
    Count,
    DateTimeField,
    Exists,
    F,
    FilteredRelation,
    Max,
    Min,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Sum,
)
from django.utils.translation import gettext as _, pgettext

from apps.accounts.models import Company, User
from apps.orders.models import Order, OrderTally, month_bucket
from apps.orders.selectors.orders import (
    COST,
    MONEY,
    OPEN_MONEY,
    cost,
    is_overdue,
    last_months as calendar_months,
    open_money,
)
from apps.orders.status import OPEN
from apps.payments.selectors import with_credit

MONTHS = 12
QUIET = timedelta(days=90)


def state_of(company: Company, people: list[User]) -> tuple[str, str]:
    """Return where a company stands in words, with the tone of its tag: to decide, open, closed."""
    if people and not any(person.approval == User.Approval.APPROVED for person in people):
        waits = any(person.approval == User.Approval.PENDING for person in people)
        return (_("To decide"), "accent") if waits else (_("Rejected"), "bad")
    return (pgettext("customer", "Open"), "ok") if company.is_open else (_("Closed"), "")


def last_months(now: datetime, *, before: int = 0) -> list[str]:
    """Return the tally buckets of the last months in the seller's time zone, up to the one `before`
    this one.
    """
    return [month_bucket(month) for month in calendar_months(now, MONTHS, before=before)]


def is_customer() -> Q:
    """Return which companies are customers: all but those of which nobody was let in and nothing
    was ordered.
    """
    people = User.objects.filter(company=OuterRef("pk"))
    let_in = Exists(people.filter(approval=User.Approval.APPROVED))
    return Q(let_in) | Q(Exists(Order.objects.filter(company=OuterRef("pk")))) | ~Q(Exists(people))


def customers() -> QuerySet[Company]:
    """Return the customers, each with the moment of its last order."""
    newest = Order.objects.filter(company=OuterRef("pk")).order_by("-id").values("placed_at")[:1]
    return Company.objects.filter(is_customer()).annotate(
        last_order=Subquery(newest, output_field=DateTimeField())
    )


def owing() -> Q:
    """Return which companies have to pay something, due or not."""
    return Q(pk__in=_open_money().filter(money__gt=0).values("company"))


def overdue(now: datetime) -> Q:
    """Return which companies' balances are late."""
    return Q(pk__in=_open_money(is_overdue(now)).filter(money__gt=0).values("company"))


def _open_money(which: Q | None = None) -> QuerySet[Any, Any]:
    orders = Order.objects.filter(which or Q(), status__in=OPEN).order_by()
    return orders.values("company").annotate(money=Sum(OPEN_MONEY))


def in_credit() -> Q:
    """Return which companies have money in their wallets."""
    return Q(pk__in=with_credit().order_by().filter(balance__gt=0).values("pk"))


def with_figures(companies: QuerySet[Company], *, now: datetime) -> QuerySet[Company]:
    """Return customers with the figures of the list: open orders are read once for all of them."""
    months = (
        OrderTally.objects.filter(company=OuterRef("pk"), bucket__in=last_months(now))
        .order_by()
        .values("company")
    )
    money = open_money("open__")
    people = User.objects.filter(
        company=OuterRef("pk"), is_active=True, approval=User.Approval.APPROVED
    ).order_by()
    by_sign_in = people.order_by(F("last_login").desc(nulls_last=True), "pk")
    return companies.annotate(
        open=FilteredRelation("orders", condition=Q(orders__status__in=OPEN)),
        open_orders=Count("open"),
        open_total=Sum(cost("open__")),
        open_money=Sum(money),
        overdue=Sum(money, filter=is_overdue(now, "open__")),
        twelve_months=Subquery(
            months.annotate(total=Sum("total")).values("total"), output_field=MONEY
        ),
        person=Subquery(by_sign_in.values("manager")[:1]),
        people=Subquery(people.values("company").annotate(count=Count("pk")).values("count")),
    )


def sums_of(companies: QuerySet[Company], *, now: datetime) -> dict[str, Any]:
    """Return the sums of a list with figures, whatever page of it is shown. Three statements."""
    ids = companies.order_by().values("pk")
    orders = Order.objects.filter(status__in=OPEN, company__in=ids).order_by()
    tallies = OrderTally.objects.filter(bucket__in=last_months(now), company__in=ids).order_by()
    return {
        "companies": ids.count(),
        **orders.aggregate(
            orders=Count("pk"),
            total=Sum(COST),
            money=Sum(OPEN_MONEY),
            late=Sum(OPEN_MONEY, filter=is_overdue(now)),
        ),
        **tallies.aggregate(twelve=Sum("total")),
    }


def sums_of_figures(companies: QuerySet[Company]) -> dict[str, Any]:
    """Return the same sums out of the list's own figures. One statement.

    Quicker where finding the companies costs more than their figures: a filter by the last order
    reads one of each.
    """
    return companies.order_by().aggregate(
        companies=Count("pk"),
        orders=Sum("open_orders"),
        total=Sum("open_total"),
        money=Sum("open_money"),
        late=Sum("overdue"),
        twelve=Sum("twelve_months"),
    )


def by_status(company: Company, *, now: datetime) -> dict[int, dict[str, Any]]:
    """Return a company's orders by status: number, total, received, open, overdue, late, last,
    since. One statement.
    """
    rows = (
        Order.objects.filter(company=company)
        .order_by()
        .values("status")
        .annotate(
            count=Count("pk"),
            cost=Sum(COST),
            came=Sum(F("received") - F("credited"), output_field=MONEY),
            open=Sum(OPEN_MONEY),
            overdue=Sum(OPEN_MONEY, filter=is_overdue(now)),
            overdue_count=Count("pk", filter=is_overdue(now)),
            late=Count("pk", filter=Q(due_at__lte=now, status__in=OPEN)),
            last=Max("placed_at"),
            since=Min("status_at"),
        )
    )
    return {row["status"]: dict(row) for row in rows}
