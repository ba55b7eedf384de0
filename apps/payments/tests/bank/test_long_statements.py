"""A statement of many pages of credits: all of them counted, parted, paged, found and booked from
any page.
"""

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

pytestmark = pytest.mark.django_db
MANY = 600


@pytest.fixture
def statement(buyer: Buyer) -> BankStatement:
    """A statement of 600 credits without a match and, the oldest of all, four others."""
    orders = [make_announced_balance(buyer), make_announced_balance(buyer)]
    now, day = datetime.now(UTC), date(2026, 11, 20)
    kept = {"name": "nov.csv", "kind": "csv", "digest": "x"}
    statement = BankStatement.objects.create(**kept, imported_at=now, imported_by=make_sales())
    rent = {"value_date": day, "amount": Decimal("7.00"), "currency": "USD", "text": "Rent"}
    credits = [BankCredit(**rent, ordinal=n, debtor=f"Payer {n}") for n in range(1, MANY + 1)]
    old = {"value_date": date(2026, 11, 1), "debtor": "Glow Trading", "ordinal": 1}
    fee = {**old, "amount": SHIPPING_FEE}
    credits += [
        BankCredit(**{**fee, "ordinal": n}, currency="USD", text=order.invoice_code)
        for n, order in enumerate(orders, 1)
    ]
    credits += [
        BankCredit(**fee, currency="EUR", text="Euro"),
        BankCredit(**old, amount=Decimal("9.00"), currency="USD", booked_at=now),
    ]
    statement.credits.add(*BankCredit.objects.bulk_create(credits))
    return statement


def page_of(statement: BankStatement) -> str:
    return f"/admin/payments/payment/desk/statements/{statement.pk}/"


def test_every_credit_is_counted_parted_paged_and_found(statement, django_assert_max_num_queries):
    client = staff_client("Sales")
    client.get(page_of(statement))
    with django_assert_max_num_queries(12):
        response = client.get(page_of(statement))
    summary = response.context["summary"]
    found = [summary[name] for name in ("count", "ready", "look", "none", "booked", "foreign")]
    assert found == [MANY + 4, 2, 0, MANY, 1, 1]
    assert len(response.context["ready"]) == 2
    assert [
        (one["label"], one["value"], one["hint"], one["tone"])
        for one in response.context["figures"]
    ] == [
        ("Credits", "604", f"{4_209 + 2 * SHIPPING_FEE:,.2f} USD", ""),
        ("Booked", "1", "9.00", ""),
        ("Ready to book", "2", f"{2 * SHIPPING_FEE:,.2f}", ""),
        ("To check", "0", "0.00", ""),
        ("No match", "600", "4,200.00", "late"),
        ("Not in USD", "1", "for information", ""),
    ]
    assert [row.tag[0] for row in response.context["rows"]][:3] == ["Exact", "Exact", "No match"]
    assert len(response.context["rows"]) == 50
    ids = set[int]()
    for number in (1, 2, 12, 13):
        rows = client.get(page_of(statement), {"page": number}).context["rows"]
        assert not ids & {row.credit.pk for row in rows}
        ids |= {row.credit.pk for row in rows}
    told = [row.tag[0] for row in rows]
    assert told == ["No match", "No match", "EUR, not booked", "Booked"]
    for query, count in (
        ({"q": "payer 599"}, 1),
        ({"q": "50.00"}, 3),
        ({"tab": "none"}, MANY),
        ({"tab": "booked"}, 1),
    ):
        assert (
            client.get(page_of(statement), query).context["credits"].page.paginator.count == count
        ), query


def test_ticks_of_other_pages_are_booked_with_those_of_this_one(statement):
    client = staff_client("Sales")
    ready = client.get(page_of(statement), {"tab": "none", "page": "8"}).context["ready"]
    client.post(f"{page_of(statement)}book/", {"book": [tick["choice"] for tick in ready]})
    assert set(Order.objects.values_list("status", flat=True)) == {OrderStatus.PAID}
    assert client.get(page_of(statement)).context["summary"]["booked"] == 3


def test_a_press_that_takes_too_long_says_what_is_left(statement, monkeypatch):
    monkeypatch.setattr(statements, "BOOKING_SECONDS", -1)
    client = staff_client("Sales")
    ready = client.get(page_of(statement)).context["ready"]
    response = client.post(
        f"{page_of(statement)}book/", {"book": [tick["choice"] for tick in ready]}, follow=True
    )
    assert "2 are not booked yet" in response.text
    assert not Order.objects.filter(status=OrderStatus.PAID).exists()


def test_what_is_proposed_follows_what_the_credits_say(statement, buyer):
    client, order = staff_client("Sales"), make_announced_balance(buyer)
    statement.credits.filter(debtor="Payer 1").update(text=f"Rent, {order.invoice_code}")
    summary = client.get(page_of(statement)).context["summary"]
    assert (summary["ready"], summary["look"], summary["none"]) == (2, 1, MANY - 1)


def test_a_claim_is_ready_for_one_credit_only_on_every_page(statement):
    order = Order.objects.earliest("pk")
    statement.credits.filter(debtor="Payer 7").update(amount=SHIPPING_FEE, text=order.invoice_code)
    client = staff_client("Sales")
    response = client.get(page_of(statement), {"tab": "look"})
    assert (response.context["summary"]["ready"], response.context["summary"]["look"]) == (2, 1)
    (row,) = response.context["rows"]
    assert (row.tag[0], row.may_tick) == ("Choose", False)
    assert row.credit.debtor == "Glow Trading"  # the older one; the newer stands above it


def test_the_desk_counts_a_long_statement_and_finds_its_wires(
    statement, django_assert_max_num_queries
):
    client = staff_client("Sales")
    client.get("/admin/payments/payment/desk/")
    with django_assert_max_num_queries(20):
        desk = client.get("/admin/payments/payment/desk/")
    assert [wire["found"] for wire in desk.context["wires"]] == ["11-01, 50.00", "11-01, 50.00"]
    ticked = [row for row in desk.context["rows"] if row.match.is_sure]
    assert (desk.context["summary"]["count"], len(ticked)) == (MANY + 4, 2)
    assert len(desk.context["rows"]) == 5
