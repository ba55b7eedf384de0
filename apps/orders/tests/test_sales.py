"""The tally of confirmed sales: kept in step with the orders, counted anew where it is not, read
over any range.
"""

from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from itertools import permutations, product

import pytest
from django.utils import timezone

from apps.accounts.tests.factories import make_buyer
from apps.catalog.tests.factories import make_product
from apps.common.days import midnight
from apps.orders.models import Order, OrderEvent, OrderLine, SalesTally
from apps.orders.selectors.sales import Days, Dimension, Figure, sales
from apps.orders.services.confirm import LineDecision
from apps.orders.services.tallies import recount_sales
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import call_off, confirm, make_order_at

pytestmark = pytest.mark.django_db
NOW = datetime.now(UTC)


def everything() -> Days:
    today = timezone.localdate()
    return Days(today.replace(day=1), today)


def one(by: Dimension | None, figure: Figure = Figure.TOTAL, days: Days | None = None) -> dict:
    return sales([by] if by else [], days=days or everything(), figure=figure)


def tallied() -> list[tuple]:
    keys = ("day", "product_id", "company_id")
    return sorted(
        SalesTally.objects.exclude(pieces=0).values_list(*keys, "orders", "pieces", "total")
    )


def confirmed_on(day: date, **fields) -> Order:
    """Return an order that was confirmed on a day, and counted."""
    order = make_order_at(OrderStatus.CONFIRMED, make_buyer(), **fields)
    at = midnight(day) + timedelta(hours=12)
    OrderEvent.objects.filter(order=order, to_status=OrderStatus.CONFIRMED).update(at=at)
    return order


def test_what_is_confirmed_is_counted_and_what_is_cancelled_taken_out_again():
    buyer, sold, other = make_buyer(), make_product(), make_product()
    order = make_order_at(OrderStatus.PREPARING, buyer, [(sold, 20), (other, 10)])
    assert one(None) == {}
    whole, less = order.lines.order_by("pk")
    confirm(order, [LineDecision(whole.pk, 20), LineDecision(less.pk, 4, "short")])
    order.refresh_from_db()
    assert one(None) == {(): order.real_total}
    assert sum(row[-1] for row in tallied()) == order.real_total
    assert one(Dimension.PRODUCT, Figure.PIECES) == {(sold.pk,): 20, (other.pk,): 4}
    assert one(Dimension.COMPANY, Figure.ORDERS) == {(buyer.company_id,): 1}
    call_off(order)
    assert one(None) == {}
    assert tallied() == []


def test_any_two_crossed_say_the_same():
    for _ in range(2):
        lines = [(make_product(), 20), (make_product(), 30)]
        make_order_at(OrderStatus.CONFIRMED, make_buyer(), lines)
    whole = one(None)[()]
    for pair in permutations(Dimension, 2):
        report = sales(pair, days=everything(), figure=Figure.TOTAL)
        assert sum(report.values()) == whole, pair
    crossed, days = [Dimension.PRODUCT, Dimension.COMPANY], everything()
    products = sales(crossed, days=days, figure=Figure.PIECES)
    assert sorted(products.values()) == [20, 20, 30, 30]
    (chosen, _), *_ = products
    only = {Dimension.PRODUCT: [chosen]}
    assert len(sales(crossed, days=days, figure=Figure.TOTAL, only=only)) == 1


@pytest.mark.parametrize("figure", list(Figure))
def test_any_days_are_counted_whether_they_cut_a_month_or_not(figure):
    days = [date(2026, *day) for day in ((3, 2), (3, 30), (4, 15), (5, 1), (5, 31))]
    for day in days:
        confirmed_on(day)
    recount_sales(NOW)
    value = next(iter(one(None, figure, Days(days[0], days[0])).values()))
    begins = [date(2026, *day) for day in ((3, 1), (3, 3), (3, 29), (4, 20), (5, 2))]
    ends = [date(2026, *day) for day in ((5, 2), (5, 30), (5, 31), (6, 12))]
    for since, until in product(begins, ends):
        within = [day for day in days if since <= day <= until]
        expected = {(): len(within) * value} if within else {}
        assert one(None, figure, Days(since, until)) == expected, (since, until)
        by_month = one(Dimension.MONTH, figure, Days(since, until))
        assert {month for (month,) in by_month} == {f"{day:%Y-%m}" for day in within}


def test_a_month_begins_at_the_sellers_midnight():
    order = make_order_at(OrderStatus.CONFIRMED, make_buyer())
    at = datetime(2026, 4, 30, 15, 30, tzinfo=UTC)  # half past midnight in Seoul, on May the first
    OrderEvent.objects.filter(order=order, to_status=OrderStatus.CONFIRMED).update(at=at)
    recount_sales(NOW)
    months = one(Dimension.MONTH, days=Days(date(2026, 4, 1), date(2026, 5, 31)))
    assert list(months) == [("2026-05",)]
    assert one(None, days=Days(date(2026, 5, 1), date(2026, 5, 1)))


def test_a_recount_repairs_what_is_wrong_and_leaves_what_is_right():
    make_order_at(OrderStatus.SHIPPED, make_buyer())
    before = tallied()
    assert recount_sales(NOW) == 0
    SalesTally.objects.all().delete()
    assert recount_sales(NOW) == 1
    assert tallied() == before
    SalesTally.objects.update(total=Decimal("1.00"))
    assert recount_sales(NOW) == 1
    assert tallied() == before


def test_what_was_not_confirmed_of_a_line_and_free_offers_are_no_sales():
    order = make_order_at(OrderStatus.CONFIRMED, make_buyer())
    OrderLine.objects.filter(order=order).update(is_confirmed=False)
    Order.objects.filter(pk=order.pk).update(real_total=0)
    recount_sales(NOW + timedelta(seconds=1))
    assert one(None) == {}
