"""A statement of thousands of credits: all of them counted, parted, paged, found and booked from any page."""

from datetime import UTC, date, datetime
from decimal import Decimal

import pytest

from apps.accounts.selectors import Buyer
from apps.accounts.tests.staff import staff_client
from apps.orders.models import Order
from apps.orders.status import OrderStatus
from apps.orders.tests.factories import SHIPPING_FEE, make_sales
from apps.payments.admin import statements
from apps.payments.models import BankCredit, BankStatement
from apps.payments.tests.factories import make_announced_balance

pytestmark = [pytest.mark.django_db, pytest.mark.any_database]
MANY = 3_000


@pytest.fixture
def statement(buyer: Buyer) -> BankStatement:
    """A statement of 3,000 credits without a match and, the oldest of all, four others."""
    orders = [make_announced_balance(buyer), make_announced_balance(buyer)]
    found = BankStatement.objects.create(
        name="nov.csv", kind="csv", digest="x", imported_at=datetime.now(UTC), imported_by=make_sales()
    )
    day = date(2026, 11, 20)
    credits = [
        BankCredit(value_date=day, amount=Decimal("7.00"), currency="USD", ordinal=n, debtor=f"Payer {n}", text="Rent")
        for n in range(1, MANY + 1)
    ]
    old = {"value_date": date(2026, 11, 1), "debtor": "Glow Trading"}
    credits += [
        BankCredit(**old, amount=SHIPPING_FEE, currency="USD", ordinal=n, text=order.invoice_code)
        for n, order in enumerate(orders, 1)
    ]
    credits += [
        BankCredit(**old, amount=SHIPPING_FEE, currency="EUR", ordinal=1, text="Euro"),
        BankCredit(**old, amount=Decimal("9.00"), currency="USD", ordinal=1, booked_at=datetime.now(UTC)),
    ]
    found.credits.add(*BankCredit.objects.bulk_create(credits))
    return found


def page_of(statement: BankStatement) -> str:
    return f"/admin/payments/payment/desk/statements/{statement.pk}/"


def test_every_credit_is_counted_parted_paged_and_found(statement, django_assert_max_num_queries):
    client = staff_client("Sales")
    client.get(page_of(statement))
    with django_assert_max_num_queries(18):
        shown = client.get(page_of(statement))
    summary = shown.context["summary"]
    assert [summary[name] for name in ("count", "ready", "look", "unmatched", "booked", "foreign")] == [
        MANY + 4,
        2,
        0,
        MANY,
        1,
        1,
    ]
    assert (summary["sum"], len(shown.context["ready"])) == (2 * SHIPPING_FEE, 2)
    assert [row.tag[0] for row in shown.context["rows"]][:3] == ["Exact", "Exact", "No match"]
    assert len(shown.context["rows"]) == 50
    seen = set[int]()
    for number in (1, 2, 60, 61):
        rows = client.get(page_of(statement), {"page": number}).context["rows"]
        assert not seen & {row.credit.pk for row in rows}
        seen |= {row.credit.pk for row in rows}
    assert [row.tag[0] for row in rows] == ["No match", "No match", "EUR, not booked", "Booked before"]
    for query, count in (
        ({"q": "payer 2999"}, 1),
        ({"q": "50.00"}, 3),
        ({"tab": "none"}, MANY),
        ({"tab": "booked"}, 1),
    ):
        assert client.get(page_of(statement), query).context["credits"].page.paginator.count == count, query


def test_ticks_of_other_pages_are_booked_with_those_of_this_one(statement):
    client = staff_client("Sales")
    ready = client.get(page_of(statement), {"tab": "none", "page": "40"}).context["ready"]
    client.post(f"{page_of(statement)}book/", {"book": [tick["choice"] for tick in ready]})
    assert set(Order.objects.values_list("status", flat=True)) == {OrderStatus.PAID}
    assert client.get(page_of(statement)).context["summary"]["booked"] == 3


def test_a_press_that_takes_too_long_says_what_is_left(statement, monkeypatch):
    monkeypatch.setattr(statements, "BOOKING_SECONDS", -1)
    client = staff_client("Sales")
    ready = client.get(page_of(statement)).context["ready"]
    done = client.post(f"{page_of(statement)}book/", {"book": [tick["choice"] for tick in ready]}, follow=True)
    assert "2 are not booked yet" in done.text
    assert not Order.objects.filter(status=OrderStatus.PAID).exists()
